import { z } from 'zod';
import { operation } from '../operation.ts';
import { momentText, notebookView, viewNotebook } from '../views.ts';

export const createNotebook = operation({
  id: 'notebooks.create',
  summary: 'Creates a notebook for the calling actor. Names are unique per owner.',
  effect: 'write',
  http: { method: 'POST', path: '/notebooks', status: 201 },
  input: z.strictObject({ name: z.string().min(1).max(60) }),
  output: notebookView,
  example: { name: 'Travel' },
  errors: ['notebook_exists'],
  run(ctx, { name }) {
    const owner = ctx.actor.id;
    if (ctx.tx.notebooks.unique('by_name', [owner, name])) ctx.fail('notebook_exists', { owner, name });
    const id = ctx.nextId('notebooks');
    return viewNotebook(ctx.tx.notebooks.insert({ id, name, owner, created_at: momentText(ctx.nowMs) }));
  },
});

export const listNotebooks = operation({
  id: 'notebooks.list',
  summary: 'Lists all notebooks.',
  effect: 'read',
  http: { method: 'GET', path: '/notebooks' },
  input: z.strictObject({}),
  output: z.strictObject({ notebooks: z.array(notebookView) }),
  example: {},
  errors: [],
  run: (ctx) => ({ notebooks: [...ctx.tx.notebooks.scan()].map(viewNotebook) }),
});

export const notebookOperations = [createNotebook, listNotebooks];
