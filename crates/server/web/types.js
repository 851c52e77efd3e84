// The server's answers as types; docs/API.md and /api/openapi.json say what they mean, and
// e2e/types.test.js that they are the same.

/**
 * @typedef {'white' | 'black'} Side
 * @typedef {{ name: string, letters: string }} Kind
 * @typedef {{
 *   name: string, title: string, summary: string, grid: string[], sides: { name: string }[],
 *   first: Side, top: Side, kinds: Kind[], theme: string, sizes: [number, number] | null,
 * }} Card
 * @typedef {Card & { squares: string[], words: Record<string, string>, sources: string }} Variant
 * @typedef {{ text: string, path: number[], captured?: number[], huffed?: number, becomes?: string }} Move
 * @typedef {{ winner: Side | null, name?: string, words: string, said?: import('./texts.js').Said }} Over
 * @typedef {{ board: string, turn: Side, legal: Move[], fen: string, over: Over | null }} Position
 * @typedef {{ type: 'open' | 'person' | 'computer', name?: string, level?: number }} Seat
 * @typedef {{ white: number, black: number, running: Side | null }} Clocks
 * @typedef {Position & {
 *   id: string, seq: number, ply: number, last: Move | null, seats: [Seat, Seat],
 *   clock: Clocks | null, offer: { side: Side, offer: 'draw' | 'take_back' | 'rematch' } | null,
 *   rematch: string | null, rated?: boolean, league?: string | null,
 * }} Game
 * @typedef {{
 *   variant: Variant, toml: string | null, size: number | null, fen: string | null, start: string, history: Move[], you: Side[], away: [number | null, number | null], game: Game,
 * }} Whole
 * @typedef {{
 *   id: string, card: Card, board: string, last: number[], turn: Side, seats: [Seat, Seat],
 *   ply: number, over: Over | null, you?: Side[],
 * }} Summary
 * @typedef {{ before: number, after: number }} RatingChange
 * @typedef {{ variant: Variant, start: string, history: Move[], position: Position }} Look
 * @typedef {{ score: number, chance: number, wins_in?: number, moves: Move[] }} Line
 * @typedef {{ depth: number, choices: number, lines: Line[] }} Advice
 * @typedef {{ text: string, winner: Side | null, distance: number | null }} TableMove
 * @typedef {{ winner: Side | null, distance: number | null, moves: TableMove[] }} Verdict
 * @typedef {{ text: string, squares: string, nags?: number[], before?: string, comment?: string, variations?: PaperMove[][] }} PaperMove
 * @typedef {{
 *   variant: string, toml: string | null, size: number | null, fen: string | null,
 *   tags: { name: string, value: string }[], line: PaperMove[],
 * }} PaperGame
 * @typedef {'chosen' | 'guessed' | null} Assumed
 * @typedef {PaperGame & { title: string, result: string | null, fault: string | null, assumed: Assumed }} Import
 * @typedef {{
 *   index: number, line: number, white: string, black: string, event: string, date: string, result: string,
 *   variant: string, assumed: Assumed, plies: number, fault: string | null,
 * }} Head
 * @typedef {{ line: number, reason: string }} Skipped
 * @typedef {{ games: Head[], skipped: Skipped[], used: number, lines: number, inside: boolean }} List
 * @typedef {{ kind: 'study' | 'variant', title: string, body: string, yours: boolean }} Work
 * @typedef {{ id: string, kind: 'study' | 'variant', title: string }} WorkCard
 * @typedef {{ line: number | null, key: string, reason: string }} Fault
 * @typedef {{ id: string, name: string, card: Card, players: string[], games: number, running: boolean }} LeagueCard
 * @typedef {{ name: string, games: number, doing: string }} Worker
 * @typedef {{ name: string, points: number, results: number[], elo: number, error: number, against: [number, number][] }} LeagueRow
 * @typedef {{ number: number, round: number, players: [string, string], white_score: number, plies: number }} LeagueFinished
 * @typedef {{ number: number, round: number, players: [string, string], board: string, turn: Side, ply: number, last: Move | null }} LeagueLive
 * @typedef {{ number: number, players: [string, string], start: string, history: Move[], opening: number, winner: Side | null, words: string }} LeagueGame
 * @typedef {{ players: [string, string], points: [number, number], played: number, games: number, first: number }} LeagueMeeting
 * @typedef {{ number: number, rounds: number, meetings: LeagueMeeting[], byes: string[] }} LeagueRound
 * @typedef {{ game: number, ply: number, name: string, reason: string, words?: string, more: number, written?: string[] }} LeagueIncident
 * @typedef {{ players: [string, string], points: [number, number], winner: number | null }} StageMeeting
 * @typedef {{ players: number, meetings: StageMeeting[], byes: string[] }} Stage
 * @typedef {{ stages: Stage[], winner: string | null }} Bracket
 * @typedef {{
 *   running: boolean, games: number, live: LeagueLive[], table?: LeagueRow[], finished?: LeagueFinished[],
 *   bracket?: Bracket, round?: LeagueRound, test?: string,
 *   about?: { name: string, card: Card, squares: string[], time: string, format: string },
 * }} League
 */

export {};
