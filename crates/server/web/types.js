// The server's answers as types; docs/API.md and /api/openapi.json say what they mean.

/**
 * @typedef {'white' | 'black'} Side
 * @typedef {{ name: string, letters: string }} Kind
 * @typedef {{
 *   name: string, title: string, summary: string, grid: string[], sides: { name: string }[],
 *   first: Side, top: Side, kinds: Kind[], theme: string, sizes: [number, number] | null,
 * }} Card
 * @typedef {Card & { squares: string[], words: string, sources: string }} Variant
 * @typedef {{ text: string, path: number[], captured?: number[], becomes?: string }} Move
 * @typedef {{ winner: Side | null, words: string }} Over
 * @typedef {{ board: string, turn: Side, legal: Move[], fen: string, over: Over | null }} Position
 * @typedef {{ type: 'open' | 'person' | 'computer', name?: string, level?: number }} Seat
 * @typedef {{ white: number, black: number, running: Side | null }} Clocks
 * @typedef {Position & {
 *   id: string, seq: number, ply: number, last: Move | null, seats: [Seat, Seat],
 *   clock: Clocks | null, offer: { side: Side, offer: 'draw' | 'take_back' | 'rematch' } | null,
 *   rematch: string | null,
 * }} Game
 * @typedef {{
 *   variant: Variant, toml: string | null, start: string, history: Move[], you: Side[], game: Game,
 * }} Whole
 * @typedef {{
 *   id: string, card: Card, board: string, last: number[], turn: Side, seats: [Seat, Seat],
 *   ply: number, over: Over | null,
 * }} Summary
 * @typedef {{ variant: Variant, start: string, history: Move[], position: Position }} Look
 * @typedef {{ score: number, moves: Move[] }} Line
 * @typedef {{ depth: number, lines: Line[] }} Advice
 * @typedef {{ line: number | null, key: string, reason: string }} Fault
 */

export {};
