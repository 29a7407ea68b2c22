const PAGE = 'first: Int, last: Int, after: String, before: String';

/** Issues, and what issues and pulls have in common. */
export const ISSUES = `
enum IssueState { CLOSED OPEN }
enum IssueStateReason { COMPLETED DUPLICATE NOT_PLANNED REOPENED }
enum IssueClosedStateReason { COMPLETED DUPLICATE NOT_PLANNED }
enum IssueOrderField { COMMENTS CREATED_AT UPDATED_AT }
input IssueOrder { direction: OrderDirection! field: IssueOrderField! }
enum LabelOrderField { CREATED_AT ISSUE_COUNT NAME }
input LabelOrder { direction: OrderDirection! field: LabelOrderField! }
enum MilestoneState { CLOSED OPEN }
enum MilestoneOrderField { CREATED_AT DUE_DATE NUMBER UPDATED_AT }
input MilestoneOrder { direction: OrderDirection! field: MilestoneOrderField! }
enum IssueCommentOrderField { UPDATED_AT }
input IssueCommentOrder { direction: OrderDirection! field: IssueCommentOrderField! }
enum CommentAuthorAssociation {
  COLLABORATOR
  CONTRIBUTOR
  FIRST_TIMER
  FIRST_TIME_CONTRIBUTOR
  MANNEQUIN
  MEMBER
  NONE
  OWNER
}
enum ReactionContent { CONFUSED EYES HEART HOORAY LAUGH ROCKET THUMBS_DOWN THUMBS_UP }
input IssueFilters {
  assignee: String
  createdBy: String
  issueFieldValues: [IssueFieldValueFilter!]
  labels: [String!]
  mentioned: String
  milestone: String
  milestoneNumber: String
  since: DateTime
  states: [IssueState!]
  type: String
  viewerSubscribed: Boolean = false
}
input IssueFieldValueFilter {
  dateValue: String
  fieldName: String!
  numberValue: Float
  singleSelectOptionValue: String
  textValue: String
}

union IssueOrPullRequest = Issue | PullRequest
interface Comment {
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  bodyText: String!
  createdAt: DateTime!
  id: ID!
  includesCreatedEdit: Boolean!
  lastEditedAt: DateTime
  updatedAt: DateTime!
  viewerDidAuthor: Boolean!
}
interface Minimizable { isMinimized: Boolean! minimizedReason: String }
interface Assignable { assignees(${PAGE}): UserConnection! }
interface Labelable { labels(${PAGE}, orderBy: LabelOrder): LabelConnection }
interface Reactable { databaseId: Int id: ID! reactionGroups: [ReactionGroup!] }
interface Subscribable { id: ID! viewerCanSubscribe: Boolean! viewerSubscription: SubscriptionState }

type ReactorConnection { pageInfo: PageInfo! totalCount: Int! }
type ReactingUserConnection { nodes: [User] pageInfo: PageInfo! totalCount: Int! }
type Reaction implements Node {
  content: ReactionContent!
  createdAt: DateTime!
  databaseId: Int
  id: ID!
  user: User
}
type ReactionGroup {
  content: ReactionContent!
  createdAt: DateTime
  reactors(${PAGE}): ReactorConnection!
  users(${PAGE}): ReactingUserConnection!
  viewerHasReacted: Boolean!
}

type Label implements Node {
  color: String!
  createdAt: DateTime
  description: String
  id: ID!
  isDefault: Boolean!
  issues(${PAGE}, states: [IssueState!]): IssueConnection!
  name: String!
  repository: Repository!
  resourcePath: URI!
  updatedAt: DateTime
  url: URI!
}
type LabelEdge { cursor: String! node: Label }
type LabelConnection { edges: [LabelEdge] nodes: [Label] pageInfo: PageInfo! totalCount: Int! }

type Milestone implements Node & Closable & UniformResourceLocatable {
  closed: Boolean!
  closedAt: DateTime
  createdAt: DateTime!
  creator: Actor
  description: String
  dueOn: DateTime
  id: ID!
  issues(${PAGE}, states: [IssueState!]): IssueConnection!
  number: Int!
  progressPercentage: Float!
  repository: Repository!
  resourcePath: URI!
  state: MilestoneState!
  title: String!
  updatedAt: DateTime!
  url: URI!
}
type MilestoneConnection { nodes: [Milestone] pageInfo: PageInfo! totalCount: Int! }

type IssueType implements Node {
  color: String!
  description: String
  id: ID!
  isEnabled: Boolean!
  name: String!
}
type IssueTypeConnection { nodes: [IssueType] pageInfo: PageInfo! totalCount: Int! }
type SubIssuesSummary { completed: Int! percentCompleted: Int! total: Int! }
type IssueDependenciesSummary { blockedBy: Int! blocking: Int! totalBlockedBy: Int! totalBlocking: Int! }

type Issue implements Assignable & Closable & Comment & Labelable & Lockable & Node & Reactable & Subscribable
  & UniformResourceLocatable {
  activeLockReason: LockReason
  assignedActors(${PAGE}): AssigneeConnection!
  assignees(${PAGE}): UserConnection!
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  bodyText: String!
  closed: Boolean!
  closedAt: DateTime
  closedByPullRequestsReferences(
    ${PAGE}
    includeClosedPrs: Boolean = false
    orderBy: IssueOrder
  ): PullRequestConnection
  comments(${PAGE}, orderBy: IssueCommentOrder): IssueCommentConnection!
  createdAt: DateTime!
  databaseId: Int
  fullDatabaseId: BigInt
  id: ID!
  includesCreatedEdit: Boolean!
  isPinned: Boolean
  issueDependenciesSummary: IssueDependenciesSummary!
  issueFieldValues(${PAGE}): IssueFieldValueConnection
  issueType: IssueType
  labels(${PAGE}, orderBy: LabelOrder): LabelConnection
  lastEditedAt: DateTime
  linkedBranches(${PAGE}): LinkedBranchConnection!
  locked: Boolean!
  milestone: Milestone
  number: Int!
  parent: Issue
  participants(${PAGE}): UserConnection!
  projectCards(${PAGE}): ProjectCardConnection!
  projectItems(${PAGE}, includeArchived: Boolean = true): ProjectV2ItemConnection
  reactionGroups: [ReactionGroup!]
  repository: Repository!
  resourcePath: URI!
  state: IssueState!
  stateReason(enableDuplicate: Boolean = false): IssueStateReason
  subIssues(${PAGE}): IssueConnection!
  subIssuesSummary: SubIssuesSummary!
  timelineItems(
    ${PAGE}
    itemTypes: [IssueTimelineItemsItemType!]
    since: DateTime
    skip: Int
  ): IssueTimelineItemsConnection!
  title: String!
  titleHTML: String!
  updatedAt: DateTime!
  url: URI!
  viewerCanClose: Boolean!
  viewerCanReopen: Boolean!
  viewerCanSubscribe: Boolean!
  viewerCanUpdate: Boolean!
  viewerDidAuthor: Boolean!
  viewerSubscription: SubscriptionState
}
type AssigneeConnection { nodes: [Assignee] pageInfo: PageInfo! totalCount: Int! }
type IssueEdge { cursor: String! node: Issue }
type IssueConnection { edges: [IssueEdge] nodes: [Issue] pageInfo: PageInfo! totalCount: Int! }
type LinkedBranch { id: ID! ref: Ref }
type LinkedBranchConnection { nodes: [LinkedBranch] pageInfo: PageInfo! totalCount: Int! }
type ProjectColumn { id: ID! name: String! }
type Project { id: ID! name: String! number: Int! url: URI! }
type ProjectCard { column: ProjectColumn id: ID! note: String project: Project! }
type ProjectCardConnection { nodes: [ProjectCard] pageInfo: PageInfo! totalCount: Int! }

type IssueComment implements Comment & Minimizable & Node & Reactable & UniformResourceLocatable {
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  bodyText: String!
  createdAt: DateTime!
  databaseId: Int
  id: ID!
  includesCreatedEdit: Boolean!
  isMinimized: Boolean!
  issue: Issue!
  lastEditedAt: DateTime
  minimizedReason: String
  publishedAt: DateTime
  pullRequest: PullRequest
  reactionGroups: [ReactionGroup!]
  repository: Repository!
  resourcePath: URI!
  updatedAt: DateTime!
  url: URI!
  viewerCanDelete: Boolean!
  viewerCanUpdate: Boolean!
  viewerDidAuthor: Boolean!
}
type IssueCommentEdge { cursor: String! node: IssueComment }
type IssueCommentConnection {
  edges: [IssueCommentEdge]
  nodes: [IssueComment]
  pageInfo: PageInfo!
  totalCount: Int!
}

enum IssueTimelineItemsItemType {
  ASSIGNED_EVENT
  CLOSED_EVENT
  CROSS_REFERENCED_EVENT
  DEMILESTONED_EVENT
  ISSUE_COMMENT
  LABELED_EVENT
  LOCKED_EVENT
  MILESTONED_EVENT
  RENAMED_TITLE_EVENT
  REOPENED_EVENT
  UNASSIGNED_EVENT
  UNLABELED_EVENT
  UNLOCKED_EVENT
}
type ClosedEvent implements Node { actor: Actor createdAt: DateTime! id: ID! stateReason: IssueStateReason }
type ReopenedEvent implements Node { actor: Actor createdAt: DateTime! id: ID! }
type LabeledEvent implements Node { actor: Actor createdAt: DateTime! id: ID! label: Label! }
type UnlabeledEvent implements Node { actor: Actor createdAt: DateTime! id: ID! label: Label! }
type AssignedEvent implements Node { actor: Actor assignee: Assignee createdAt: DateTime! id: ID! }
type UnassignedEvent implements Node { actor: Actor assignee: Assignee createdAt: DateTime! id: ID! }
type MilestonedEvent implements Node { actor: Actor createdAt: DateTime! id: ID! milestoneTitle: String! }
type DemilestonedEvent implements Node { actor: Actor createdAt: DateTime! id: ID! milestoneTitle: String! }
type LockedEvent implements Node { actor: Actor createdAt: DateTime! id: ID! lockReason: LockReason }
type UnlockedEvent implements Node { actor: Actor createdAt: DateTime! id: ID! }
type RenamedTitleEvent implements Node {
  actor: Actor
  createdAt: DateTime!
  currentTitle: String!
  id: ID!
  previousTitle: String!
}
type CrossReferencedEvent implements Node {
  actor: Actor
  createdAt: DateTime!
  id: ID!
  source: IssueOrPullRequest!
  willCloseTarget: Boolean!
}
union IssueTimelineItems = AssignedEvent | ClosedEvent | CrossReferencedEvent | DemilestonedEvent
  | IssueComment | LabeledEvent | LockedEvent | MilestonedEvent | RenamedTitleEvent | ReopenedEvent
  | UnassignedEvent | UnlabeledEvent | UnlockedEvent
type IssueTimelineItemsConnection {
  filteredCount: Int!
  nodes: [IssueTimelineItems]
  pageInfo: PageInfo!
  totalCount: Int!
}
`;
