import type { Json, JsonObject } from '../../../base/json.ts';
import type { ChatModel, ChatReply, ChatRequest, ChatToolCall, ChatUsage } from '../../../llm/index.ts';
import { AgentFailure } from '../../agent-failure.ts';
import type { Agent, AgentAction, AgentRun, AgentTask, HistoryEntry, ToolCall } from '../../types.ts';
import { readArguments } from '../protocol.ts';
import { ownFailure } from './failures.ts';
import { chatTools, finishName, PROMPT_VERSION, systemPrompt } from './prompt.ts';
import { Spent } from './spent.ts';
import { Transcript } from './transcript.ts';
import { NOTES } from './words.ts';

/** How a model is asked. All of it is part of a run's configuration. */
export interface LoopSettings {
  readonly temperature?: number;
  /** Of trial 0; each further trial has the next one, so that repeats differ. */
  readonly seed?: number;
  readonly maxOutputTokens: number;
  /** Turns of the model that one trial may take. */
  readonly maxSteps: number;
}

/** What the loop is made of besides its settings. */
export interface LoopParts {
  /** The model for one trial, named by scenario and fault plan. @throws ChatError */
  readonly modelFor: (record: string, trial: number) => ChatModel;
  /** Cost of one exchange; null where it is not known. */
  readonly costOf: (usage: ChatUsage) => number | null;
  /** More that is part of the configuration, such as the prices. */
  readonly config?: JsonObject;
}

/** A chat model with tools as an agent. It is asked for one action at a time. */
export function chatAgent(model: ChatModel, settings: LoopSettings, parts: LoopParts): Agent {
  return {
    name: model.name,
    config: {
      model: model.config,
      ...(settings as unknown as JsonObject),
      prompt: PROMPT_VERSION,
      ...parts.config,
    } as Json,
    start: (task, record = task.scenario) =>
      new ChatRun(task, settings, { model: parts.modelFor(record, task.trial), costOf: parts.costOf }),
  };
}

/** A turn's calls, told apart. */
interface Turn {
  /** To be made in the world. */
  readonly calls: readonly ChatToolCall[];
  /** Calls of the tool that ends the conversation which say nothing. */
  readonly own: readonly { readonly call: ChatToolCall; readonly text: string }[];
  /** The final answer; null when the conversation goes on. */
  readonly answer: string | null;
}

class ChatRun implements AgentRun {
  readonly #task: AgentTask;
  readonly #settings: LoopSettings;
  readonly #model: ChatModel;
  readonly #spent: Spent;
  readonly #finish: string;
  readonly #fixed: Omit<ChatRequest, 'messages'>;
  #transcript: Transcript | null = null;
  /** The final answer, while the calls of its own turn are still to be made. */
  #answer: string | null = null;

  constructor(
    task: AgentTask,
    settings: LoopSettings,
    { model, costOf }: { readonly model: ChatModel; readonly costOf: LoopParts['costOf'] },
  ) {
    this.#task = task;
    this.#settings = settings;
    this.#model = model;
    this.#spent = new Spent(costOf);
    this.#finish = finishName(task);
    const { temperature, seed, maxOutputTokens } = settings;
    this.#fixed = {
      system: systemPrompt(task, this.#finish),
      tools: chatTools(task, this.#finish),
      ...(temperature !== undefined && { temperature }),
      ...(seed !== undefined && { seed: seed + task.trial }),
      maxOutputTokens,
    };
  }

  async next(history: readonly HistoryEntry[]): Promise<AgentAction> {
    const transcript = this.#transcriptOf(history);
    if (this.#answer !== null) return { type: 'answer', text: this.#answer };
    for (let empty = 0; ; empty += 1) {
      if (empty > 1) throw new AgentFailure('agent-stopped', 'the model gave two empty replies in a row');
      const action = this.#take(await this.#reply(transcript), transcript);
      if (action !== 'again' && action !== 'empty') return action;
      if (action === 'again') empty = -1;
    }
  }

  usage(): ReturnType<Spent['record']> {
    return this.#spent.record();
  }

  /** The transcript so far; a new one where the history is another than this run has lived through. */
  #transcriptOf(history: readonly HistoryEntry[]): Transcript {
    if (this.#transcript?.extend(history)) return this.#transcript;
    this.#answer = null;
    this.#transcript = new Transcript(this.#task, history);
    return this.#transcript;
  }

  async #reply(transcript: Transcript): Promise<ChatReply> {
    const { maxSteps } = this.#settings;
    if (this.#spent.turns >= maxSteps) {
      const turns = `${maxSteps} turn${maxSteps === 1 ? '' : 's'}`;
      throw new AgentFailure('agent-stopped', `the model gave no final answer in ${turns} (--max-steps)`);
    }
    try {
      const reply = await this.#model.complete({ ...this.#fixed, messages: transcript.messages });
      this.#spent.add(reply);
      return reply;
    } catch (error) {
      throw ownFailure(error) ?? error;
    }
  }

  /** What comes of a reply: an action, or another request. */
  #take(reply: ChatReply, transcript: Transcript): AgentAction | 'again' | 'empty' {
    const { text, finish } = reply;
    if (finish === 'refusal') return { type: 'answer', text, detail: 'the model refused' };
    const { calls, own, answer } = this.#told(reply, transcript);
    const { maxOutputTokens } = this.#settings;
    const cut = finish === 'length' ? `cut off after ${maxOutputTokens} output tokens` : null;
    if (calls.length > 0 || own.length > 0) {
      transcript.turn(text, calls, own);
      this.#answer = answer;
      return calls.length > 0 ? { type: 'calls', calls: calls.map(toolCall) } : 'again';
    }
    if (answer !== null) return { type: 'answer', text: answer };
    if (text.trim() === '') {
      if (cut) throw new AgentFailure('agent-stopped', `the model was ${cut}, before it wrote anything`);
      transcript.tell(this.#task.conversational ? NOTES.emptyToUser : NOTES.empty);
      return 'empty';
    }
    transcript.turn(text, []);
    if (!this.#task.conversational) {
      return { type: 'answer', text, ...(cut && { detail: `the answer was ${cut}` }) };
    }
    transcript.saidIt();
    return { type: 'say', text };
  }

  /** Tells the calls of the task's tools from those that end the conversation. */
  #told(reply: ChatReply, transcript: Transcript): Turn {
    const all = reply.calls.map((call) => ({ ...call, id: transcript.idFor(call.id) }));
    if (!this.#task.conversational) return { calls: all, own: [], answer: null };
    const calls = all.filter(({ name }) => name !== this.#finish);
    const ends = all.filter(({ name }) => name === this.#finish);
    const answers = ends.map((call) => answerIn(call.arguments) ?? (reply.text.trim() || null));
    const answer = answers.find((one) => one !== null) ?? null;
    // After an end nothing is asked any more, so its call needs no result.
    if (answer !== null) return { calls, own: [], answer };
    return { calls, own: ends.map((call) => ({ call, text: NOTES.noAnswer })), answer };
  }
}

function toolCall({ name, arguments: text }: ChatToolCall): ToolCall {
  // Servers give nothing for a call without arguments.
  return { tool: name, ...(text.trim() === '' ? { arguments: {} } : readArguments(text)) };
}

function answerIn(text: string): string | null {
  const { arguments: input } = readArguments(text);
  const answer = (input as { readonly answer?: Json } | null | undefined)?.answer;
  return typeof answer === 'string' ? answer : null;
}
