// One look for all who ask at once. Nobody is given what was looked up before they asked, and nothing is kept: who asks while a
// look is under way waits, with all others that do, for the one after it.

export function sharedLook<T>(look: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined;
  let next: Promise<T> | undefined;
  const start = (): Promise<T> => {
    next = undefined;
    const started = look();
    const ended = started.then(forget, forget).then(() => {
      if (running === ended) running = undefined;
    });
    running = ended;
    return started;
  };
  return () => (running ? (next ??= running.then(start)) : start());
}

function forget(): void {}
