import type {
  Issue,
  IssueAssignee,
  IssueComment,
  IssueLabel,
  Label,
  Milestone,
  Reaction,
} from '../../schema/issues.ts';
import { postings, wordPostings } from './postings.ts';

/** Stands for whichever label, person or reaction it is. */
export const ANY = '';

export const titleWords = wordPostings<Issue>(
  ({ id }) => id,
  ({ title }) => title,
);

export const bodyWords = wordPostings<Issue>(
  ({ id }) => id,
  ({ body }) => body ?? '',
);

/** Issues by the words of their comments. */
export const commentWords = wordPostings<IssueComment>(
  ({ issue_id }) => issue_id,
  ({ body }) => body,
);

/** Issues by who commented on them. */
export const commenters = postings<IssueComment, number | null, number>({
  foundOf: ({ issue_id }) => issue_id,
  termsOf: ({ user_id }) => [user_id],
  isSame: (before, after) => before.user_id === after.user_id,
});

/** Labels of all repositories by name. */
export const labelNames = postings<Label, string, number>({
  foundOf: ({ id }) => id,
  termsOf: ({ name_key }) => [name_key],
});

/** Issues by the numbers of their labels. */
export const labelled = postings<IssueLabel, number | typeof ANY, number>({
  foundOf: ({ issue_id }) => issue_id,
  termsOf: ({ label_id }) => [label_id, ANY],
});

/** Issues by whom they are assigned to. */
export const assigned = postings<IssueAssignee, number | typeof ANY, number>({
  foundOf: ({ issue_id }) => issue_id,
  termsOf: ({ user_id }) => [user_id, ANY],
});

/** Milestones of all repositories by title, in lower case. */
export const milestoneTitles = postings<Milestone, string, number>({
  foundOf: ({ id }) => id,
  termsOf: ({ title }) => [title.toLowerCase()],
});

/** Issues by how people reacted to them. */
export const reacted = postings<Reaction, string, number>({
  foundOf: ({ subject_id }) => subject_id,
  termsOf: ({ subject, content }) => (subject === 'issue' ? [content, ANY] : []),
});
