import { z } from 'zod';
import { digestText, type Operation } from '../../../service/index.ts';
import { UNKNOWN_SHA } from '../git/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { freshId, idOf } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { findBranch } from '../rules/refs.ts';
import { requireRole } from '../rules/repositories.ts';
import { startRun } from '../rules/runs.ts';
import type { Workflow } from '../schema/actions.ts';
import type { Repository } from '../schema/repositories.ts';
import type { ScanningAnalysis } from '../schema/scanning.ts';
import { numberedPath, ownerOf } from '../views/repositories.ts';
import { analysisView } from '../views/scanning.ts';
import { repositoryUrl } from '../views/urls.ts';
import { scannedRepository } from './code-scanning.ts';

const PLACE = { owner: z.string(), repo: z.string() };
const ANALYSIS = { ...PLACE, analysis_id: z.union([z.int(), z.string()]) };
const lamp = { owner: 'octo-works', repo: 'lamp' };
const example = { ...lamp, analysis_id: 420_000_002 };

/** A repository's analyses, the newest first. */
function analysesOf(ctx: Reading, repository: Repository): readonly ScanningAnalysis[] {
  return [...ctx.tx.scanning_analyses.by('by_repository', [repository.id], { reverse: true })];
}

/** Analyses of one kind are taken off from the newest on. */
function ofKind(all: readonly ScanningAnalysis[], like: ScanningAnalysis): readonly ScanningAnalysis[] {
  const kind = ({ ref, category, analysis_key, tool }: ScanningAnalysis): string =>
    JSON.stringify([ref, category, analysis_key, (tool as { name?: unknown } | null)?.name ?? null]);
  return all.filter((analysis) => kind(analysis) === kind(like));
}

function isDeletable(all: readonly ScanningAnalysis[], analysis: ScanningAnalysis): boolean {
  return ofKind(all, analysis)[0]?.id === analysis.id;
}

const listAnalyses = operation({
  id: 'code-scanning/list-recent-analyses',
  summary: 'Lists what code scanning has looked at, the newest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/code-scanning/analyses' },
  input: z.looseObject({
    ...PLACE,
    ref: z.string().optional(),
    tool_name: z.string().optional(),
    sarif_id: z.string().optional(),
    direction: z.string().optional(),
    ...PAGE,
  }),
  output: listOf('id', 'ref', 'tool', 'deletable'),
  example: lamp,
  run(ctx, input) {
    const repository = scannedRepository(ctx, input);
    const all = analysesOf(ctx, repository);
    if (all.length === 0) ctx.fail('absent', { message: 'no analysis found' });
    const items = all.filter(
      ({ ref, sarif_id, tool }) =>
        (input.ref === undefined || ref.endsWith(input.ref)) &&
        (input.sarif_id === undefined || sarif_id === input.sarif_id) &&
        (input.tool_name === undefined || (tool as { name?: unknown } | null)?.name === input.tool_name),
    );
    return paged(ctx, input, {
      items: input.direction === 'asc' ? items.toReversed() : items,
      path: numberedPath(repository, '/code-scanning/analyses'),
      show: (analysis) => analysisView(ctx, repository, { analysis, deletable: isDeletable(all, analysis) }),
    });
  },
});

interface Found {
  readonly repository: Repository;
  readonly analysis: ScanningAnalysis;
}

function analysisAt(
  ctx: Reading,
  input: { owner: string; repo: string; analysis_id: number | string },
): Found {
  const repository = scannedRepository(ctx, input);
  const analysis = ctx.tx.scanning_analyses.get(idOf(input.analysis_id));
  if (analysis?.repository_id === repository.id) return { repository, analysis };
  return ctx.fail('absent', { message: `no analysis found for analysis ID ${input.analysis_id}` });
}

const getAnalysis = operation({
  id: 'code-scanning/get-analysis',
  summary: 'Reads one thing that code scanning has looked at.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/code-scanning/analyses/{analysis_id}' },
  input: z.looseObject(ANALYSIS),
  output: shown('id', 'ref', 'tool', 'deletable'),
  example,
  run(ctx, input) {
    const { repository, analysis } = analysisAt(ctx, input);
    const deletable = isDeletable(analysesOf(ctx, repository), analysis);
    return analysisView(ctx, repository, { analysis, deletable });
  },
});

const deleteAnalysis = operation({
  id: 'code-scanning/delete-analysis',
  summary: 'Deletes the newest analysis of its kind, and says which one is next.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/code-scanning/analyses/{analysis_id}' },
  input: z.looseObject({ ...ANALYSIS, confirm_delete: z.string().nullish() }),
  output: shown('next_analysis_url', 'confirm_delete_url'),
  example,
  run(ctx, input) {
    const { repository, analysis } = analysisAt(ctx, input);
    const all = analysesOf(ctx, repository);
    const [, next, afterNext] = ofKind(all, analysis);
    if (!isDeletable(all, analysis)) {
      ctx.fail('bad_request', { message: 'Analysis specified is not deletable.' });
    }
    if (!next && input.confirm_delete === undefined) {
      const message =
        'Analysis is last of its type and deletion may result in the loss of historical alert data. ' +
        'Please specify confirm_delete.';
      ctx.fail('bad_request', { message });
    }
    ctx.tx.scanning_analyses.delete(analysis.id);
    const base = `${repositoryUrl(ownerOf(ctx, repository), repository)}/code-scanning/analyses`;
    return {
      // The last of its kind is not offered: that must be confirmed.
      next_analysis_url:
        next && (afterNext || input.confirm_delete === undefined) ? `${base}/${next.id}` : null,
      confirm_delete_url: next ? `${base}/${next.id}?confirm_delete` : null,
    };
  },
});

const uploadSarif = operation({
  id: 'code-scanning/upload-sarif',
  summary: 'Takes the findings of another tool.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/code-scanning/sarifs', status: 202 },
  input: z.looseObject({ ...PLACE, commit_sha: z.string(), ref: z.string(), sarif: z.string() }),
  output: shown('id', 'url'),
  example: { ...lamp, commit_sha: '1'.repeat(40), ref: 'refs/heads/main', sarif: 'H4sIAAAA' },
  run(ctx, input) {
    const repository = scannedRepository(ctx, input);
    if (!/^[0-9a-f]{40}$/u.test(input.commit_sha)) {
      ctx.fail('bad_request', { message: 'Invalid request.\n\ncommit_sha must be a 40-character SHA-1.' });
    }
    const hex = digestText(`sarif ${ctx.nextId('sarif_uploads')}`);
    const id = [
      hex.slice(0, 8),
      hex.slice(8, 12),
      hex.slice(12, 16),
      hex.slice(16, 20),
      hex.slice(20, 32),
    ].join('-');
    const created_at = momentText(ctx.nowMs);
    const row = { id, repository_id: repository.id, processing_status: 'complete', errors: null, created_at };
    ctx.tx.sarif_uploads.insert(row);
    const base = repositoryUrl(ownerOf(ctx, repository), repository);
    return { id, url: `${base}/code-scanning/sarifs/${id}` };
  },
});

const getSarif = operation({
  id: 'code-scanning/get-sarif',
  summary: 'Reads what became of findings that were sent.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/code-scanning/sarifs/{sarif_id}' },
  input: z.looseObject({ ...PLACE, sarif_id: z.string() }),
  output: shown('processing_status', 'analyses_url'),
  example: { ...lamp, sarif_id: '00000000-0000-4000-8000-000000000001' },
  run(ctx, input) {
    const repository = scannedRepository(ctx, input);
    const row = ctx.tx.sarif_uploads.get(input.sarif_id);
    if (row?.repository_id !== repository.id) return ctx.fail('not_found');
    const base = repositoryUrl(ownerOf(ctx, repository), repository);
    const analyses_url = `${base}/code-scanning/analyses?sarif_id=${row.id}`;
    return { processing_status: row.processing_status, errors: row.errors, analyses_url };
  },
});

const getSetup = operation({
  id: 'code-scanning/get-default-setup',
  summary: 'Reads whether GitHub scans a repository by itself.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/code-scanning/default-setup' },
  input: z.looseObject(PLACE),
  output: shown('state', 'languages', 'query_suite'),
  example: lamp,
  run(ctx, input) {
    const repository = scannedRepository(ctx, input);
    const row = ctx.tx.scanning_setups.get(repository.id);
    return {
      state: row?.state ?? 'not-configured',
      languages: row?.languages ?? [],
      query_suite: row?.query_suite ?? 'default',
      threat_model: row?.threat_model ?? 'remote',
      updated_at: row?.updated_at ?? null,
      schedule: row?.state === 'configured' ? 'weekly' : null,
    };
  },
});

const updateSetup = operation({
  id: 'code-scanning/update-default-setup',
  summary: 'Has GitHub scan a repository by itself, or has it stop.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/code-scanning/default-setup', status: 202 },
  input: z.looseObject({
    ...PLACE,
    state: z.enum(['configured', 'not-configured']).optional(),
    query_suite: z.enum(['default', 'extended']).optional(),
    threat_model: z.enum(['remote', 'remote_and_local']).optional(),
    languages: z.array(z.string()).optional(),
  }),
  output: shown('run_id', 'run_url'),
  example: { ...lamp, state: 'configured' },
  run(ctx, input) {
    const repository = scannedRepository(ctx, input);
    requireRole(ctx, repository, 'admin');
    const before = ctx.tx.scanning_setups.get(repository.id);
    const row = {
      repository_id: repository.id,
      state: input.state ?? before?.state ?? 'configured',
      languages: input.languages ?? before?.languages ?? [],
      query_suite: input.query_suite ?? before?.query_suite ?? 'default',
      threat_model: input.threat_model ?? before?.threat_model ?? 'remote',
      updated_at: momentText(ctx.nowMs),
    } as const;
    if (before) ctx.tx.scanning_setups.update(repository.id, row);
    else ctx.tx.scanning_setups.insert(row);
    const branch = repository.default_branch;
    const sha = findBranch(ctx, repository, branch)?.sha ?? UNKNOWN_SHA;
    const workflow = scanningWorkflow(ctx, repository);
    const run = startRun(ctx, { repository, workflow }, { event: 'dynamic', branch, sha });
    const base = repositoryUrl(ownerOf(ctx, repository), repository);
    return { run_id: run.id, run_url: `${base}/actions/runs/${run.id}` };
  },
});

const SCANNING_PATH = 'dynamic/github-code-scanning/codeql';

/** The workflow that scans, which no file stands for. */
function scanningWorkflow(ctx: Writing, repository: Repository): Workflow {
  const known = [...ctx.tx.workflows.by('by_repository', [repository.id])];
  const created_at = momentText(ctx.nowMs).replace('Z', '.000Z');
  return (
    known.find(({ path }) => path === SCANNING_PATH) ??
    ctx.tx.workflows.insert({
      id: freshId(ctx, 'workflows'),
      repository_id: repository.id,
      name: 'CodeQL',
      path: SCANNING_PATH,
      state: 'active',
      created_at,
      updated_at: created_at,
    })
  );
}

export const scanningAnalysisOperations: readonly Operation[] = [
  listAnalyses,
  getAnalysis,
  deleteAnalysis,
  uploadSarif,
  getSarif,
  getSetup,
  updateSetup,
];
