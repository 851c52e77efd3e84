import type { KingBoard } from '../web/board/board.js';

declare global {
  interface HTMLElementTagNameMap {
    'king-board': KingBoard;
  }
}
