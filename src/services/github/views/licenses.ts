import type { JsonObject } from '../../../service/index.ts';
import { entryOf } from '../rules/entries.ts';
import { API } from './urls.ts';

/** The licences that GitHub knows by key: SPDX id and name. */
export const LICENSES: Readonly<Record<string, readonly [spdx: string, name: string]>> = {
  'agpl-3.0': ['AGPL-3.0', 'GNU Affero General Public License v3.0'],
  'apache-2.0': ['Apache-2.0', 'Apache License 2.0'],
  'bsd-2-clause': ['BSD-2-Clause', 'BSD 2-Clause "Simplified" License'],
  'bsd-3-clause': ['BSD-3-Clause', 'BSD 3-Clause "New" or "Revised" License'],
  'bsl-1.0': ['BSL-1.0', 'Boost Software License 1.0'],
  'cc0-1.0': ['CC0-1.0', 'Creative Commons Zero v1.0 Universal'],
  'epl-2.0': ['EPL-2.0', 'Eclipse Public License 2.0'],
  'gpl-2.0': ['GPL-2.0', 'GNU General Public License v2.0'],
  'gpl-3.0': ['GPL-3.0', 'GNU General Public License v3.0'],
  'lgpl-2.1': ['LGPL-2.1', 'GNU Lesser General Public License v2.1'],
  mit: ['MIT', 'MIT License'],
  'mpl-2.0': ['MPL-2.0', 'Mozilla Public License 2.0'],
  unlicense: ['Unlicense', 'The Unlicense'],
};

/** A licence as repositories show it; null for none. */
export function licenseView(key: string | null): JsonObject | null {
  if (key === null) return null;
  const known = entryOf(LICENSES, key);
  const [spdx, name] = known ?? ['NOASSERTION', 'Other'];
  return {
    key,
    name,
    spdx_id: spdx,
    url: known ? `${API}/licenses/${key}` : null,
    node_id: 'MDc6TGljZW5zZTEz',
  };
}
