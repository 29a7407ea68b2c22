import { z } from 'zod';
import type { Json } from '../../../service/index.ts';

export const text = z.string();
/** A number that GitHub gave to a thing. */
export const id = z.int();
export const count = z.int();
/** A moment as GitHub writes it: `2026-03-02T09:00:00Z`, whole seconds, UTC. */
export const moment = z.string();
/** A document that is kept and shown as it is. */
export const json = z.json() as z.ZodType<Json>;
/** A git object's name: 40 hexadecimal digits. */
export const sha = z.string();
