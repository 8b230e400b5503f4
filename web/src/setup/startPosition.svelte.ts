/** A position to begin from, in the game's notation. */
export class StartPosition {
  given = $state(false);
  text = $state("");

  /** The position as a start option, if one is given. */
  get option(): { position?: string } {
    return this.given && this.text.trim() ? { position: this.text.trim() } : {};
  }
}
