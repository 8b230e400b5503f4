// Parts of the app that are loaded when they are needed.
const KEY = "loaded-again"; // when the page was loaded again because a part of it could not be
const PATIENCE = 10_000; // milliseconds: a part that cannot be loaded then either will not be there
const PAUSE = 2_000; // milliseconds

/**
 * Return a part of the app. If it cannot be loaded, because the server has a newer version by now or is away, the whole
 * page is loaded again as soon as the server answers.
 */
export async function loaded<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (error) {
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < PATIENCE) throw error;
    while (!(await fetch(location.href).catch(() => null))) await new Promise((resolve) => setTimeout(resolve, PAUSE));
    sessionStorage.setItem(KEY, String(Date.now()));
    location.reload();
    return new Promise(() => undefined);
  }
}
