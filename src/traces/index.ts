import { UsageError } from '../base/errors.ts';
import { isJsonObject } from '../base/json.ts';
import { readAnthropic } from './anthropic/read.ts';
import { readDocuments, type TraceFile } from './documents.ts';
import { readOwn } from './groundhog-run.ts';
import { readOpenAiChat, readOpenAiResponses } from './openai/read.ts';
import { readOtlp } from './otlp/read.ts';
import { TRACE_FORMATS, type TraceFormat, type TraceRun } from './types.ts';

export { isOutcomeKnown, traceTrajectory } from './trajectory.ts';
export {
  LOSS_KINDS,
  TRACE_FORMATS,
  type TraceCall,
  type TraceFormat,
  type TraceLoss,
  type TraceRun,
} from './types.ts';

/** Readers in the order in which they are tried: those that could take another's file come later. */
const READERS: readonly (readonly [TraceFormat, (trace: TraceFile) => TraceRun[] | null])[] = [
  ['otlp', readOtlp],
  ['anthropic', readAnthropic],
  ['openai-responses', readOpenAiResponses],
  ['openai-chat', readOpenAiChat],
];

/**
 * The runs of a trace file, whose format its content tells.
 * @param format takes the file as this format, in place of finding it out
 * @throws UsageError with file:line:column for a file that is damaged, of no format that is read, or
 * without a
 *   run.
 */
export function readTraces(file: string, text: string, format?: TraceFormat): readonly TraceRun[] {
  if (format === 'groundhog' || (format === undefined && isOwn(text))) return [readOwn(file, text)];
  const trace = readDocuments(file, text);
  for (const [name, read] of READERS) {
    if (format !== undefined && format !== name) continue;
    const runs = read(trace);
    if (runs === null) continue;
    if (runs.length > 0) return runs;
    throw new UsageError('no-run', 'no span of the file tells of a tool, a model or an agent', {
      place: { file, line: 1, column: 1 },
      hint: 'attributes of OpenInference or OTel GenAI are read: see docs/scoring-traces.md',
    });
  }
  throw foreign(trace, format);
}

/** Our own files begin with a header line that says so. */
function isOwn(text: string): boolean {
  return /^\{[^\n]*"format":\s*"groundhog\.trajectory"/u.test(text.slice(0, 100_000));
}

function foreign(trace: TraceFile, format: TraceFormat | undefined): UsageError {
  const first = trace.documents[0];
  const { value } = first ?? {};
  const place = { file: trace.file, line: first?.line ?? 1, column: 1 };
  if (isJsonObject(value) && isJsonObject(value.error) && typeof value.error.message === 'string') {
    return new UsageError('no-run', 'the file is an error answer of an API, and no run', { place });
  }
  if (Array.isArray(value) && value.length === 0) {
    return new UsageError('no-run', 'the file is an empty list: there is no run in it', { place });
  }
  const wanted = format === undefined ? 'of a format that is read' : `of the format ${format}`;
  return new UsageError('foreign-trace', `this is no trace ${wanted}`, {
    place,
    hint: `read are ${TRACE_FORMATS.join(', ')}: see docs/scoring-traces.md`,
  });
}
