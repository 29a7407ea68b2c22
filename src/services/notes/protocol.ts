import { plainProtocol } from '../../service/index.ts';
import { errors } from './errors.ts';

/** Notes has no vendor to imitate: the kit's plain envelope, `{error: {code, message, details?}}`. */
export const protocol = plainProtocol(errors);
