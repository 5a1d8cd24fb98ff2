/** uvu keeps what a failing hook threw to itself: this says it. */
export function report(hook: () => Promise<void>): () => Promise<void> {
  return () =>
    hook().catch((thrown) => {
      console.error(thrown);
      throw thrown;
    });
}
