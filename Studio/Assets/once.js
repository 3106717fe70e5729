/// A function that has work done for whoever calls it: once at a time, and once more for all who call meanwhile. It returns when no more is wanted, or at
/// once where the work is under way. `pause` are milliseconds before each time, in which others may still call.
export function onceForAll(work, pause = 0) {
  let isWanted = false;
  let isRunning = false;
  return async () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    while (isWanted) {
      if (pause > 0) await new Promise((done) => setTimeout(done, pause));
      isWanted = false;
      await work();
    }
    isRunning = false;
  };
}
