import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { bytesOfBase64, textOfBytes } from '../git/index.ts';
import { operation } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { mediaTypeOf } from '../protocol/media.ts';
import { GITIGNORE_NAMES, gitignoreNamed } from '../rules/gitignore.ts';
import { renderMarkdown } from '../rules/markdown.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { LICENSES, licenseView } from '../views/licenses.ts';

/** Those that people pick most. */
const FEATURED = new Set(['mit', 'gpl-3.0', 'apache-2.0']);

const listLicenses = operation({
  id: 'licenses/get-all-commonly-used',
  summary: 'Lists the licences that are used most.',
  effect: 'read',
  http: { method: 'GET', path: '/licenses' },
  input: z.looseObject({ featured: z.union([z.boolean(), z.string()]).optional(), ...PAGE }),
  output: listOf('key', 'name', 'spdx_id'),
  example: {},
  run(ctx, input) {
    const onlyFeatured = String(input.featured) === 'true';
    const items = Object.keys(LICENSES).filter((key) => !onlyFeatured || FEATURED.has(key));
    return paged(ctx, input, { items, path: '/licenses', show: (key) => licenseView(key) ?? {} });
  },
});

const COPYLEFT = /gpl|mpl|epl/u;

const getLicense = operation({
  id: 'licenses/get',
  summary: 'Reads what a licence allows, asks for and rules out.',
  effect: 'read',
  http: { method: 'GET', path: '/licenses/{license}' },
  input: z.looseObject({ license: z.string() }),
  output: shown('key', 'name', 'permissions', 'conditions', 'limitations'),
  example: { license: 'mit' },
  run(ctx, input) {
    const key = input.license.toLowerCase();
    if (!(key in LICENSES)) return ctx.fail('not_found');
    const { node_id, ...view } = licenseView(key) ?? {};
    const copyleft = COPYLEFT.test(key);
    return {
      ...view,
      node_id: node_id ?? '',
      html_url: `http://choosealicense.com/licenses/${key}/`,
      description: `${String(view.name)}: what it allows stands among its permissions.`,
      implementation: 'Put the text of the licence into a file named LICENSE at the root of your source.',
      permissions: ['commercial-use', 'modifications', 'distribution', 'private-use'],
      conditions: copyleft ? ['include-copyright', 'disclose-source', 'same-license'] : ['include-copyright'],
      limitations: ['liability', 'warranty'],
      body: `${String(view.name)}\n`,
      featured: FEATURED.has(key),
    } as JsonObject;
  },
});

const listGitignores = operation({
  id: 'gitignore/get-all-templates',
  summary: 'Lists the names of templates for .gitignore.',
  effect: 'read',
  http: { method: 'GET', path: '/gitignore/templates' },
  input: z.looseObject({}),
  output: z.array(z.string()),
  example: {},
  run: () => [...GITIGNORE_NAMES],
});

const getGitignore = operation({
  id: 'gitignore/get-template',
  summary: 'Reads a template for .gitignore.',
  effect: 'read',
  http: { method: 'GET', path: '/gitignore/templates/{name}' },
  input: z.looseObject({ name: z.string() }),
  output: z.union([shown('name', 'source'), z.string()]),
  example: { name: 'Node' },
  run(ctx, { name }) {
    const source = gitignoreNamed(name);
    if (source === undefined) return ctx.fail('not_found');
    if (!mediaTypeOf(ctx.headers.accept, ctx.nowMs).forms.includes('raw')) return { name, source };
    ctx.reply({ form: 'text', headers: { 'content-type': 'application/vnd.github.raw; charset=utf-8' } });
    return source;
  },
});

/** Shortcodes and what they stand for, by code point. */
const EMOJIS: Readonly<Record<string, string>> = {
  '+1': '1f44d',
  '-1': '1f44e',
  bug: '1f41b',
  bulb: '1f4a1',
  confused: '1f615',
  eyes: '1f440',
  fire: '1f525',
  heart: '2764',
  hooray: '1f389',
  laughing: '1f606',
  memo: '1f4dd',
  rocket: '1f680',
  smile: '1f604',
  sparkles: '2728',
  tada: '1f389',
  thinking: '1f914',
  wave: '1f44b',
  white_check_mark: '2705',
  x: '274c',
  zap: '26a1',
};

const getEmojis = operation({
  id: 'emojis/get',
  summary: 'Lists shortcodes of emojis with their pictures.',
  effect: 'read',
  http: { method: 'GET', path: '/emojis' },
  input: z.looseObject({}),
  output: shown('+1'),
  example: {},
  run: (): JsonObject =>
    Object.fromEntries(
      Object.entries(EMOJIS).map(([name, code]) => [
        name,
        `https://github.githubassets.com/images/icons/emoji/unicode/${code}.png?v8`,
      ]),
    ),
});

const HTML = { form: 'text', headers: { 'content-type': 'text/html;charset=utf-8' } } as const;

const render = operation({
  id: 'markdown/render',
  summary: 'Renders Markdown to HTML.',
  effect: 'read',
  http: { method: 'POST', path: '/markdown' },
  input: z.looseObject({ text: z.string(), mode: z.string().optional(), context: z.string().optional() }),
  output: z.string(),
  example: { text: '# Warm **light**' },
  run(ctx, { text }) {
    ctx.reply(HTML);
    return renderMarkdown(text);
  },
});

const renderRaw = operation({
  id: 'markdown/render-raw',
  summary: 'Renders a body of Markdown to HTML.',
  effect: 'read',
  http: { method: 'POST', path: '/markdown/raw', rawBody: 'data' },
  input: z.looseObject({ data: z.string().optional(), content_type: z.string().optional() }),
  output: z.string(),
  example: { data: 'V2FybQ==', content_type: 'text/plain' },
  run(ctx, { data }) {
    ctx.reply(HTML);
    return renderMarkdown(textOfBytes(bytesOfBase64(data ?? '') ?? ''));
  },
});

export const templateOperations: readonly Operation[] = [
  listLicenses,
  getLicense,
  listGitignores,
  getGitignore,
  getEmojis,
  render,
  renderRaw,
];
