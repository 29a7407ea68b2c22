import { plainProtocol } from '../../service/index.ts';
import { errors } from './errors.ts';

/** A domain world imitates no vendor: the kit's plain envelope serves it. */
export const protocol = plainProtocol(errors);
