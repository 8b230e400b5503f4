// What the header knows of the page below it.
export const page = $state({ game: "" }); // the game that is played, learnt or reviewed there

/** Tell the header the page's game until the page is left; to be called in an effect. */
export function showsGame(game: string | undefined): () => void {
  page.game = game ?? "";
  return () => (page.game = "");
}
