// Where squares lie: from a grid of letters to rows, columns and back, either way round.

/**
 * @typedef {{ row: number, column: number, square: number | null }} Cell
 */

export class Layout {
  /**
   * @param {string[]} grid a text per row, `_` for squares that are not played on
   */
  constructor(grid) {
    this.rows = grid.length;
    this.columns = Math.max(...grid.map((row) => row.length));
    /** @type {Cell[]} */
    this.cells = [];
    /** @type {Cell[]} cells by square */
    this.squares = [];
    grid.forEach((line, row) => [...line].forEach((letter, column) => {
      /** @type {Cell} */
      const cell = { row, column, square: null };
      if (letter !== '_' && letter !== '#') {
        cell.square = this.squares.length;
        this.squares.push(cell);
      }
      this.cells.push(cell);
    }));
    this.flipped = false;
  }

  /**
   * Column and row on the screen.
   * @param {{ row: number, column: number }} cell
   * @returns {[number, number]}
   */
  place({ row, column }) {
    return this.flipped ? [this.columns - 1 - column, this.rows - 1 - row] : [column, row];
  }

  /**
   * The middle of a square on the screen.
   * @param {number} square
   * @returns {[number, number]}
   */
  middle(square) {
    const [x, y] = this.place(this.squares[square]);
    return [x + 0.5, y + 0.5];
  }

  /**
   * The cell at a place on the screen.
   * @param {number} x
   * @param {number} y
   */
  at(x, y) {
    const [column, row] = this.flipped ? [this.columns - 1 - x, this.rows - 1 - y] : [x, y];
    return this.cells.find((cell) => cell.row === row && cell.column === column);
  }

  /**
   * The cell that an arrow key leads to. Where unplayable squares are left out, a step up or down
   * goes to the nearest playable square of the next row.
   * @param {Cell} from
   * @param {[number, number]} step columns and rows on the screen
   * @param {boolean} everywhere whether the cursor visits squares that are not played on
   * @param {number} wish the column on the screen that vertical steps keep to
   */
  step(from, [dx, dy], everywhere, wish) {
    const [x, y] = this.place(from);
    if (everywhere) return this.at(x + dx, y + dy) ?? from;
    if (dx) {
      for (let next = x + dx; next >= 0 && next < this.columns; next += dx) {
        const cell = this.at(next, y);
        if (cell && cell.square !== null) return cell;
      }
      return from;
    }
    for (let row = y + dy; row >= 0 && row < this.rows; row += dy) {
      const cells = this.squares.filter((cell) => this.place(cell)[1] === row);
      if (cells.length) {
        const distance = (/** @type {Cell} */ cell) => Math.abs(this.place(cell)[0] - wish);
        return cells.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
      }
    }
    return from;
  }
}
