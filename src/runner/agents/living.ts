/**
 * The processes that agents run in. Each leads a group of its own, which a Ctrl-C at the terminal does not
 * reach: when this process ends by a signal or by itself, it takes them with it.
 */
const groups = new Set<number>();
let armed = false;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function trackGroup(pid: number): void {
  groups.add(pid);
  if (armed) return;
  armed = true;
  process.once('exit', killAll);
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      killAll();
      // With this listener gone, the signal does what it does by default.
      process.kill(process.pid, signal);
    });
  }
}

export function forgetGroup(pid: number): void {
  groups.delete(pid);
}

/** Signals everything in a group; nothing happens when it is gone already. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already.
  }
}

function killAll(): void {
  for (const pid of groups) signalGroup(pid, 'SIGKILL');
}
