import type { Probe } from '../../../service/index.ts';
import { accountProbes } from './accounts.ts';
import { orderProbes } from './orders.ts';
import { ticketProbes } from './tickets.ts';

/** Facts about the desk, at least one for each operation, each asked of the small seed. */
export const probes: readonly Probe[] = [...orderProbes, ...accountProbes, ...ticketProbes];
