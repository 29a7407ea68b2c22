/** One mutation: its input's members and what it gives, as the definition language writes them. */
type Mutation = readonly [name: string, input: string, payload: string];

const MUTATIONS: readonly Mutation[] = [
  ['addAssigneesToAssignable', 'assignableId: ID!, assigneeIds: [ID!]!', 'assignable: Assignable'],
  ['addComment', 'subjectId: ID!, body: String!', 'commentEdge: IssueCommentEdge, subject: Node'],
  ['addDiscussionComment', 'discussionId: ID!, body: String!, replyToId: ID', 'comment: DiscussionComment'],
  ['addLabelsToLabelable', 'labelableId: ID!, labelIds: [ID!]!', 'labelable: Labelable'],
  [
    'addProjectV2DraftIssue',
    'projectId: ID!, title: String!, body: String, assigneeIds: [ID!]',
    'projectItem: ProjectV2Item',
  ],
  ['addProjectV2ItemById', 'projectId: ID!, contentId: ID!', 'item: ProjectV2Item'],
  [
    'addPullRequestReview',
    `pullRequestId: ID!, commitOID: GitObjectID, body: String, event: PullRequestReviewEvent,
    comments: [DraftPullRequestReviewComment], threads: [DraftPullRequestReviewThread]`,
    'pullRequestReview: PullRequestReview, reviewEdge: PullRequestReviewEdge',
  ],
  [
    'addPullRequestReviewThread',
    `path: String, body: String!, pullRequestId: ID, pullRequestReviewId: ID, line: Int,
    side: DiffSide = RIGHT,
    startLine: Int, startSide: DiffSide = RIGHT, subjectType: PullRequestReviewThreadSubjectType = LINE`,
    'thread: PullRequestReviewThread',
  ],
  [
    'addPullRequestReviewThreadReply',
    'pullRequestReviewThreadId: ID!, body: String!, pullRequestReviewId: ID',
    'comment: PullRequestReviewComment',
  ],
  ['addReaction', 'subjectId: ID!, content: ReactionContent!', 'reaction: Reaction, subject: Reactable'],
  ['addStar', 'starrableId: ID!', 'starrable: Starrable'],
  [
    'addSubIssue',
    'issueId: ID!, subIssueId: ID, subIssueUrl: String, replaceParent: Boolean',
    'issue: Issue, subIssue: Issue',
  ],
  ['closeDiscussion', 'discussionId: ID!, reason: DiscussionCloseReason', 'discussion: Discussion'],
  ['closeIssue', 'issueId: ID!, stateReason: IssueClosedStateReason, duplicateIssueId: ID', 'issue: Issue'],
  ['closePullRequest', 'pullRequestId: ID!', 'pullRequest: PullRequest'],
  ['convertPullRequestToDraft', 'pullRequestId: ID!', 'pullRequest: PullRequest'],
  [
    'createDiscussion',
    'repositoryId: ID!, categoryId: ID!, title: String!, body: String!',
    'discussion: Discussion',
  ],
  [
    'createIssue',
    `repositoryId: ID!, title: String!, body: String, assigneeIds: [ID!], labelIds: [ID!], milestoneId: ID,
    projectIds: [ID!], issueTemplate: String, issueTypeId: ID, parentIssueId: ID`,
    'issue: Issue',
  ],
  ['createLabel', 'repositoryId: ID!, name: String!, color: String!, description: String', 'label: Label'],
  ['createProjectV2', 'ownerId: ID!, title: String!, repositoryId: ID, teamId: ID', 'projectV2: ProjectV2'],
  [
    'createProjectV2Field',
    `projectId: ID!, dataType: ProjectV2CustomFieldType!, name: String!,
    singleSelectOptions: [ProjectV2SingleSelectFieldOptionInput!]`,
    'projectV2Field: ProjectV2FieldConfiguration',
  ],
  [
    'createPullRequest',
    `repositoryId: ID!, baseRefName: String!, headRefName: String!, headRepositoryId: ID, title: String!,
    body: String, maintainerCanModify: Boolean = true, draft: Boolean = false`,
    'pullRequest: PullRequest',
  ],
  ['createRef', 'repositoryId: ID!, name: String!, oid: GitObjectID!', 'ref: Ref'],
  [
    'createRepository',
    `name: String!, ownerId: ID, description: String, visibility: RepositoryVisibility!,
    template: Boolean = false,
    homepageUrl: URI, hasWikiEnabled: Boolean = false, hasIssuesEnabled: Boolean = true, teamId: ID`,
    'repository: Repository',
  ],
  ['deleteDiscussionComment', 'id: ID!', 'comment: DiscussionComment'],
  ['deleteIssue', 'issueId: ID!', 'repository: Repository'],
  ['deleteIssueComment', 'id: ID!', 'ok: Boolean'],
  ['deleteLabel', 'id: ID!', 'ok: Boolean'],
  ['deleteProjectV2Item', 'projectId: ID!, itemId: ID!', 'deletedItemId: ID'],
  ['deletePullRequestReview', 'pullRequestReviewId: ID!', 'pullRequestReview: PullRequestReview'],
  ['deleteRef', 'refId: ID!', 'ok: Boolean'],
  ['lockLockable', 'lockableId: ID!, lockReason: LockReason', 'actor: Actor, lockedRecord: Lockable'],
  ['markDiscussionCommentAsAnswer', 'id: ID!', 'discussion: Discussion'],
  ['markPullRequestReadyForReview', 'pullRequestId: ID!', 'pullRequest: PullRequest'],
  [
    'mergePullRequest',
    `pullRequestId: ID!, commitHeadline: String, commitBody: String, expectedHeadOid: GitObjectID,
    mergeMethod: PullRequestMergeMethod = MERGE, authorEmail: String`,
    'actor: Actor, pullRequest: PullRequest',
  ],
  ['removeAssigneesFromAssignable', 'assignableId: ID!, assigneeIds: [ID!]!', 'assignable: Assignable'],
  ['removeLabelsFromLabelable', 'labelableId: ID!, labelIds: [ID!]!', 'labelable: Labelable'],
  ['removeReaction', 'subjectId: ID!, content: ReactionContent!', 'subject: Reactable'],
  ['removeStar', 'starrableId: ID!', 'starrable: Starrable'],
  ['removeSubIssue', 'issueId: ID!, subIssueId: ID!', 'issue: Issue, subIssue: Issue'],
  ['reopenDiscussion', 'discussionId: ID!', 'discussion: Discussion'],
  ['reopenIssue', 'issueId: ID!', 'issue: Issue'],
  ['reopenPullRequest', 'pullRequestId: ID!', 'pullRequest: PullRequest'],
  ['reprioritizeSubIssue', 'issueId: ID!, subIssueId: ID!, afterId: ID, beforeId: ID', 'issue: Issue'],
  [
    'requestReviews',
    'pullRequestId: ID!, userIds: [ID!], teamIds: [ID!], botIds: [ID!], union: Boolean = false',
    'actor: Actor, pullRequest: PullRequest',
  ],
  ['resolveReviewThread', 'threadId: ID!', 'thread: PullRequestReviewThread'],
  [
    'submitPullRequestReview',
    'pullRequestId: ID, pullRequestReviewId: ID, event: PullRequestReviewEvent!, body: String',
    'pullRequestReview: PullRequestReview',
  ],
  ['unlockLockable', 'lockableId: ID!', 'actor: Actor, unlockedRecord: Lockable'],
  ['unmarkDiscussionCommentAsAnswer', 'id: ID!', 'discussion: Discussion'],
  ['unresolveReviewThread', 'threadId: ID!', 'thread: PullRequestReviewThread'],
  [
    'updateDiscussion',
    'discussionId: ID!, title: String, body: String, categoryId: ID',
    'discussion: Discussion',
  ],
  ['updateDiscussionComment', 'commentId: ID!, body: String!', 'comment: DiscussionComment'],
  [
    'updateIssue',
    `id: ID!, title: String, body: String, assigneeIds: [ID!], labelIds: [ID!], milestoneId: ID,
    projectIds: [ID!], state: IssueState, issueTypeId: ID, agentAssignment: AgentAssignmentInput`,
    'actor: Actor, issue: Issue',
  ],
  ['updateIssueComment', 'id: ID!, body: String!', 'issueComment: IssueComment'],
  ['updateLabel', 'id: ID!, name: String, color: String, description: String', 'label: Label'],
  [
    'updateProjectV2',
    `projectId: ID!, title: String, shortDescription: String, readme: String, closed: Boolean,
    public: Boolean`,
    'projectV2: ProjectV2',
  ],
  [
    'updateProjectV2ItemFieldValue',
    'projectId: ID!, itemId: ID!, fieldId: ID!, value: ProjectV2FieldValue!',
    'projectV2Item: ProjectV2Item',
  ],
  [
    'clearProjectV2ItemFieldValue',
    'projectId: ID!, itemId: ID!, fieldId: ID!',
    'projectV2Item: ProjectV2Item',
  ],
  [
    'updatePullRequest',
    `pullRequestId: ID!, baseRefName: String, title: String, body: String, state: PullRequestUpdateState,
    maintainerCanModify: Boolean, assigneeIds: [ID!], milestoneId: ID, labelIds: [ID!], projectIds: [ID!]`,
    'actor: Actor, pullRequest: PullRequest',
  ],
  [
    'updatePullRequestBranch',
    'pullRequestId: ID!, expectedHeadOid: GitObjectID, updateMethod: PullRequestBranchUpdateMethod',
    'pullRequest: PullRequest',
  ],
  ['updateRef', 'refId: ID!, oid: GitObjectID!, force: Boolean = false', 'ref: Ref'],
  [
    'updateRepository',
    `repositoryId: ID!, name: String, description: String, template: Boolean, homepageUrl: URI,
    hasWikiEnabled: Boolean, hasIssuesEnabled: Boolean, hasProjectsEnabled: Boolean,
    hasDiscussionsEnabled: Boolean`,
    'repository: Repository',
  ],
];

export const MUTATION_NAMES: readonly string[] = MUTATIONS.map(([name]) => name);

function typeName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The root of all changes: each takes `input` and gives a payload, both with `clientMutationId`. */
export const MUTATION_ROOT = `
enum PullRequestUpdateState { CLOSED OPEN }
enum PullRequestBranchUpdateMethod { MERGE REBASE }
input AgentAssignmentInput {
  baseRef: String
  customAgent: String
  customInstructions: String
  targetRepositoryId: ID
}
input DraftPullRequestReviewComment { body: String! path: String! position: Int! }
input DraftPullRequestReviewThread {
  body: String!
  line: Int
  path: String
  side: DiffSide = RIGHT
  startLine: Int
  startSide: DiffSide = RIGHT
}
input ProjectV2FieldValue {
  date: Date
  iterationId: String
  number: Float
  singleSelectOptionId: String
  text: String
}
input ProjectV2SingleSelectFieldOptionInput {
  color: ProjectV2SingleSelectFieldOptionColor!
  description: String!
  name: String!
}
${MUTATIONS.map(
  ([name, input, payload]) => `
input ${typeName(name)}Input { clientMutationId: String, ${input} }
type ${typeName(name)}Payload { clientMutationId: String, ${payload.replace('ok: Boolean', '')} }`,
).join('\n')}

type Mutation {
${MUTATIONS.map(([name]) => `  ${name}(input: ${typeName(name)}Input!): ${typeName(name)}Payload`).join('\n')}
}
`;
