import { writeSync } from 'node:fs';

/**
 * Preloaded into a command that is measured: at its end it says on descriptor 3 what the process has used.
 */
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(
    3,
    JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: (maxRSS * 1024) / 1e6 }),
  );
});
