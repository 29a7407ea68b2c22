const PAGE = 'first: Int, last: Int, after: String, before: String';

/** Pulls, their reviews, and what checks say of commits. */
export const PULLS = `
enum PullRequestState { CLOSED MERGED OPEN }
enum PullRequestOrderField { CREATED_AT UPDATED_AT }
input PullRequestOrder { direction: OrderDirection! field: PullRequestOrderField! }
enum MergeableState { CONFLICTING MERGEABLE UNKNOWN }
enum MergeStateStatus { BEHIND BLOCKED CLEAN DIRTY DRAFT HAS_HOOKS UNKNOWN UNSTABLE }
enum PullRequestReviewDecision { APPROVED CHANGES_REQUESTED REVIEW_REQUIRED }
enum PullRequestReviewState { APPROVED CHANGES_REQUESTED COMMENTED DISMISSED PENDING }
enum PullRequestReviewEvent { APPROVE COMMENT DISMISS REQUEST_CHANGES }
enum PullRequestReviewThreadSubjectType { FILE LINE }
enum DiffSide { LEFT RIGHT }
enum PatchStatus { ADDED CHANGED COPIED DELETED MODIFIED RENAMED }
enum FileViewedState { DISMISSED UNVIEWED VIEWED }
enum StatusState { ERROR EXPECTED FAILURE PENDING SUCCESS }
enum CheckStatusState { COMPLETED IN_PROGRESS PENDING QUEUED REQUESTED WAITING }
enum CheckConclusionState {
  ACTION_REQUIRED
  CANCELLED
  FAILURE
  NEUTRAL
  SKIPPED
  STALE
  STARTUP_FAILURE
  SUCCESS
  TIMED_OUT
}

type PullRequest implements Assignable & Closable & Comment & Labelable & Lockable & Node & Reactable
  & Subscribable & UniformResourceLocatable {
  activeLockReason: LockReason
  additions: Int!
  assignedActors(${PAGE}): AssigneeConnection!
  assignees(${PAGE}): UserConnection!
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  autoMergeRequest: AutoMergeRequest
  baseRef: Ref
  baseRefName: String!
  baseRefOid: GitObjectID!
  baseRepository: Repository
  body: String!
  bodyText: String!
  canBeRebased: Boolean!
  changedFiles: Int!
  closed: Boolean!
  closedAt: DateTime
  closingIssuesReferences(${PAGE}, orderBy: IssueOrder): IssueConnection
  comments(${PAGE}, orderBy: IssueCommentOrder): IssueCommentConnection!
  commits(${PAGE}): PullRequestCommitConnection!
  createdAt: DateTime!
  databaseId: Int
  deletions: Int!
  files(${PAGE}): PullRequestChangedFileConnection
  fullDatabaseId: BigInt
  headRef: Ref
  headRefName: String!
  headRefOid: GitObjectID!
  headRepository: Repository
  headRepositoryOwner: RepositoryOwner
  id: ID!
  includesCreatedEdit: Boolean!
  isCrossRepository: Boolean!
  isDraft: Boolean!
  isInMergeQueue: Boolean!
  isMergeQueueEnabled: Boolean!
  labels(${PAGE}, orderBy: LabelOrder): LabelConnection
  lastEditedAt: DateTime
  latestOpinionatedReviews(${PAGE}, writersOnly: Boolean = false): PullRequestReviewConnection
  latestReviews(${PAGE}): PullRequestReviewConnection
  locked: Boolean!
  maintainerCanModify: Boolean!
  mergeCommit: Commit
  mergeStateStatus: MergeStateStatus!
  mergeable: MergeableState!
  merged: Boolean!
  mergedAt: DateTime
  mergedBy: Actor
  milestone: Milestone
  number: Int!
  participants(${PAGE}): UserConnection!
  permalink: URI!
  potentialMergeCommit: Commit
  projectCards(${PAGE}): ProjectCardConnection!
  projectItems(${PAGE}, includeArchived: Boolean = true): ProjectV2ItemConnection!
  reactionGroups: [ReactionGroup!]
  repository: Repository!
  resourcePath: URI!
  reviewDecision: PullRequestReviewDecision
  reviewRequests(${PAGE}): ReviewRequestConnection
  reviewThreads(${PAGE}): PullRequestReviewThreadConnection!
  reviews(${PAGE}, author: String, states: [PullRequestReviewState!]): PullRequestReviewConnection
  state: PullRequestState!
  statusCheckRollup: StatusCheckRollup
  title: String!
  titleHTML: HTML!
  totalCommentsCount: Int
  updatedAt: DateTime!
  url: URI!
  viewerCanSubscribe: Boolean!
  viewerCanUpdate: Boolean!
  viewerDidAuthor: Boolean!
  viewerMergeBodyText(mergeType: PullRequestMergeMethod): String!
  viewerMergeHeadlineText(mergeType: PullRequestMergeMethod): String!
  viewerSubscription: SubscriptionState
}
type PullRequestEdge { cursor: String! node: PullRequest }
type PullRequestConnection {
  edges: [PullRequestEdge]
  nodes: [PullRequest]
  pageInfo: PageInfo!
  totalCount: Int!
}
type AutoMergeRequest {
  authorEmail: String
  commitBody: String
  commitHeadline: String
  enabledAt: DateTime
  enabledBy: Actor
  mergeMethod: PullRequestMergeMethod!
  pullRequest: PullRequest!
}
type PullRequestCommit implements Node { commit: Commit! id: ID! pullRequest: PullRequest! url: URI! }
type PullRequestCommitEdge { cursor: String! node: PullRequestCommit }
type PullRequestCommitConnection {
  edges: [PullRequestCommitEdge]
  nodes: [PullRequestCommit]
  pageInfo: PageInfo!
  totalCount: Int!
}
type PullRequestChangedFile {
  additions: Int!
  changeType: PatchStatus!
  deletions: Int!
  path: String!
  viewerViewedState: FileViewedState!
}
type PullRequestChangedFileConnection { nodes: [PullRequestChangedFile] pageInfo: PageInfo! totalCount: Int! }
type ReviewRequest implements Node {
  asCodeOwner: Boolean!
  databaseId: Int
  id: ID!
  pullRequest: PullRequest!
  requestedReviewer: RequestedReviewer
}
type ReviewRequestConnection { nodes: [ReviewRequest] pageInfo: PageInfo! totalCount: Int! }

type PullRequestReview implements Comment & Node & Reactable {
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  bodyText: String!
  comments(${PAGE}): PullRequestReviewCommentConnection!
  commit: Commit
  createdAt: DateTime!
  databaseId: Int
  fullDatabaseId: BigInt
  id: ID!
  includesCreatedEdit: Boolean!
  lastEditedAt: DateTime
  pullRequest: PullRequest!
  reactionGroups: [ReactionGroup!]
  repository: Repository!
  resourcePath: URI!
  state: PullRequestReviewState!
  submittedAt: DateTime
  updatedAt: DateTime!
  url: URI!
  viewerDidAuthor: Boolean!
}
type PullRequestReviewEdge { cursor: String! node: PullRequestReview }
type PullRequestReviewConnection {
  edges: [PullRequestReviewEdge]
  nodes: [PullRequestReview]
  pageInfo: PageInfo!
  totalCount: Int!
}
type PullRequestReviewComment implements Comment & Minimizable & Node & Reactable {
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  bodyText: String!
  commit: Commit
  createdAt: DateTime!
  databaseId: Int
  diffHunk: String!
  fullDatabaseId: BigInt
  id: ID!
  includesCreatedEdit: Boolean!
  isMinimized: Boolean!
  lastEditedAt: DateTime
  line: Int
  minimizedReason: String
  originalLine: Int
  outdated: Boolean!
  path: String!
  pullRequest: PullRequest!
  pullRequestReview: PullRequestReview
  reactionGroups: [ReactionGroup!]
  replyTo: PullRequestReviewComment
  repository: Repository!
  resourcePath: URI!
  startLine: Int
  state: PullRequestReviewCommentState!
  subjectType: PullRequestReviewThreadSubjectType!
  updatedAt: DateTime!
  url: URI!
  viewerDidAuthor: Boolean!
}
enum PullRequestReviewCommentState { PENDING SUBMITTED }
type PullRequestReviewCommentConnection {
  nodes: [PullRequestReviewComment]
  pageInfo: PageInfo!
  totalCount: Int!
}
type PullRequestReviewThread implements Node {
  comments(${PAGE}, skip: Int): PullRequestReviewCommentConnection!
  diffSide: DiffSide!
  id: ID!
  isCollapsed: Boolean!
  isOutdated: Boolean!
  isResolved: Boolean!
  line: Int
  originalLine: Int
  originalStartLine: Int
  path: String!
  pullRequest: PullRequest!
  repository: Repository!
  resolvedBy: User
  startDiffSide: DiffSide
  startLine: Int
  subjectType: PullRequestReviewThreadSubjectType!
  viewerCanReply: Boolean!
  viewerCanResolve: Boolean!
  viewerCanUnresolve: Boolean!
}
type PullRequestReviewThreadConnection {
  nodes: [PullRequestReviewThread]
  pageInfo: PageInfo!
  totalCount: Int!
}

interface RequirableByPullRequest { isRequired(pullRequestId: ID, pullRequestNumber: Int): Boolean! }
type Status implements Node {
  commit: Commit
  contexts: [StatusContext!]!
  id: ID!
  state: StatusState!
}
type StatusContext implements Node & RequirableByPullRequest {
  context: String!
  createdAt: DateTime!
  creator: Actor
  description: String
  id: ID!
  isRequired(pullRequestId: ID, pullRequestNumber: Int): Boolean!
  state: StatusState!
  targetUrl: URI
}
type App implements Node { databaseId: Int id: ID! name: String! slug: String! url: URI! }
type Workflow implements Node { databaseId: Int id: ID! name: String! url: URI! }
type WorkflowRun implements Node {
  databaseId: Int
  event: String!
  id: ID!
  runNumber: Int!
  url: URI!
  workflow: Workflow!
}
type CheckSuite implements Node {
  app: App
  checkRuns(${PAGE}): CheckRunConnection
  conclusion: CheckConclusionState
  createdAt: DateTime!
  databaseId: Int
  id: ID!
  status: CheckStatusState!
  updatedAt: DateTime!
  workflowRun: WorkflowRun
}
type CheckSuiteConnection { nodes: [CheckSuite] pageInfo: PageInfo! totalCount: Int! }
type CheckRun implements Node & RequirableByPullRequest {
  checkSuite: CheckSuite!
  completedAt: DateTime
  conclusion: CheckConclusionState
  databaseId: Int
  detailsUrl: URI
  id: ID!
  isRequired(pullRequestId: ID, pullRequestNumber: Int): Boolean!
  name: String!
  startedAt: DateTime
  status: CheckStatusState!
  summary: String
  text: String
  title: String
  url: URI!
}
type CheckRunConnection { nodes: [CheckRun] pageInfo: PageInfo! totalCount: Int! }
type StatusCheckRollup implements Node {
  commit: Commit
  contexts(${PAGE}): StatusCheckRollupContextConnection!
  id: ID!
  state: StatusState!
}
union StatusCheckRollupContext = CheckRun | StatusContext
type CheckRunStateCount { count: Int! state: CheckRunState! }
type StatusContextStateCount { count: Int! state: StatusState! }
enum CheckRunState {
  ACTION_REQUIRED
  CANCELLED
  COMPLETED
  FAILURE
  IN_PROGRESS
  NEUTRAL
  PENDING
  QUEUED
  SKIPPED
  STALE
  STARTUP_FAILURE
  SUCCESS
  TIMED_OUT
  WAITING
}
type StatusCheckRollupContextConnection {
  checkRunCount: Int!
  checkRunCountsByState: [CheckRunStateCount!]
  nodes: [StatusCheckRollupContext]
  pageInfo: PageInfo!
  statusContextCount: Int!
  statusContextCountsByState: [StatusContextStateCount!]
  totalCount: Int!
}
`;
