const PAGE = 'first: Int, last: Int, after: String, before: String';

/** Discussions, and projects of the newer kind. */
export const CONVERSATIONS = `
enum DiscussionOrderField { CREATED_AT UPDATED_AT }
input DiscussionOrder { direction: OrderDirection! field: DiscussionOrderField! }
enum DiscussionState { CLOSED OPEN }
enum DiscussionStateReason { DUPLICATE OUTDATED REOPENED RESOLVED }
enum DiscussionCloseReason { DUPLICATE OUTDATED RESOLVED }

type DiscussionCategory implements Node {
  createdAt: DateTime!
  description: String
  emoji: String!
  emojiHTML: HTML!
  id: ID!
  isAnswerable: Boolean!
  name: String!
  repository: Repository!
  slug: String!
  updatedAt: DateTime!
}
type DiscussionCategoryConnection { nodes: [DiscussionCategory] pageInfo: PageInfo! totalCount: Int! }

type Discussion implements Closable & Comment & Labelable & Lockable & Node & Reactable & Subscribable
  & UniformResourceLocatable {
  activeLockReason: LockReason
  answer: DiscussionComment
  answerChosenAt: DateTime
  answerChosenBy: Actor
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  bodyText: String!
  category: DiscussionCategory!
  closed: Boolean!
  closedAt: DateTime
  comments(${PAGE}): DiscussionCommentConnection!
  createdAt: DateTime!
  databaseId: Int
  id: ID!
  includesCreatedEdit: Boolean!
  isAnswered: Boolean
  labels(${PAGE}, orderBy: LabelOrder): LabelConnection
  lastEditedAt: DateTime
  locked: Boolean!
  number: Int!
  reactionGroups: [ReactionGroup!]
  repository: Repository!
  resourcePath: URI!
  stateReason: DiscussionStateReason
  title: String!
  updatedAt: DateTime!
  upvoteCount: Int!
  url: URI!
  viewerCanSubscribe: Boolean!
  viewerDidAuthor: Boolean!
  viewerSubscription: SubscriptionState
}
type DiscussionEdge { cursor: String! node: Discussion }
type DiscussionConnection { edges: [DiscussionEdge] nodes: [Discussion] pageInfo: PageInfo! totalCount: Int! }

type DiscussionComment implements Comment & Minimizable & Node & Reactable {
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  bodyText: String!
  createdAt: DateTime!
  databaseId: Int
  discussion: Discussion
  id: ID!
  includesCreatedEdit: Boolean!
  isAnswer: Boolean!
  isMinimized: Boolean!
  lastEditedAt: DateTime
  minimizedReason: String
  reactionGroups: [ReactionGroup!]
  replies(${PAGE}): DiscussionCommentConnection!
  replyTo: DiscussionComment
  resourcePath: URI!
  updatedAt: DateTime!
  upvoteCount: Int!
  url: URI!
  viewerDidAuthor: Boolean!
}
type DiscussionCommentConnection { nodes: [DiscussionComment] pageInfo: PageInfo! totalCount: Int! }

enum ProjectV2OrderField { CREATED_AT NUMBER TITLE UPDATED_AT }
input ProjectV2Order { direction: OrderDirection! field: ProjectV2OrderField! }
enum ProjectV2PermissionLevel { ADMIN READ WRITE }
enum ProjectV2ItemType { DRAFT_ISSUE ISSUE PULL_REQUEST REDACTED }
enum ProjectV2FieldType { DATE ITERATION NUMBER SINGLE_SELECT TEXT TITLE }
enum ProjectV2SingleSelectFieldOptionColor { BLUE GRAY GREEN ORANGE PINK PURPLE RED YELLOW }
enum ProjectV2CustomFieldType { DATE ITERATION NUMBER SINGLE_SELECT TEXT }

type ProjectV2 implements Closable & Node {
  closed: Boolean!
  closedAt: DateTime
  createdAt: DateTime!
  creator: Actor
  databaseId: Int
  field(name: String!): ProjectV2FieldConfiguration
  fields(${PAGE}): ProjectV2FieldConfigurationConnection!
  fullDatabaseId: BigInt
  id: ID!
  items(${PAGE}, query: String): ProjectV2ItemConnection!
  number: Int!
  owner: ProjectV2Owner!
  public: Boolean!
  readme: String
  resourcePath: URI!
  shortDescription: String
  title: String!
  updatedAt: DateTime!
  url: URI!
  viewerCanUpdate: Boolean!
}
type ProjectV2Connection { nodes: [ProjectV2] pageInfo: PageInfo! totalCount: Int! }

interface ProjectV2FieldCommon {
  databaseId: Int
  dataType: ProjectV2FieldType!
  id: ID!
  name: String!
  project: ProjectV2!
}
type ProjectV2Field implements Node & ProjectV2FieldCommon {
  databaseId: Int
  dataType: ProjectV2FieldType!
  id: ID!
  name: String!
  project: ProjectV2!
}
type ProjectV2SingleSelectFieldOption {
  color: ProjectV2SingleSelectFieldOptionColor!
  description: String!
  id: String!
  name: String!
}
type ProjectV2SingleSelectField implements Node & ProjectV2FieldCommon {
  databaseId: Int
  dataType: ProjectV2FieldType!
  id: ID!
  name: String!
  options(names: [String!]): [ProjectV2SingleSelectFieldOption!]!
  project: ProjectV2!
}
type ProjectV2IterationFieldIteration { duration: Int! id: String! startDate: Date! title: String! }
type ProjectV2IterationFieldConfiguration {
  completedIterations: [ProjectV2IterationFieldIteration!]!
  duration: Int!
  iterations: [ProjectV2IterationFieldIteration!]!
  startDay: Int!
}
type ProjectV2IterationField implements Node & ProjectV2FieldCommon {
  configuration: ProjectV2IterationFieldConfiguration!
  databaseId: Int
  dataType: ProjectV2FieldType!
  id: ID!
  name: String!
  project: ProjectV2!
}
union ProjectV2FieldConfiguration = ProjectV2Field | ProjectV2IterationField | ProjectV2SingleSelectField
type ProjectV2FieldConfigurationConnection {
  nodes: [ProjectV2FieldConfiguration]
  pageInfo: PageInfo!
  totalCount: Int!
}

union ProjectV2ItemContent = DraftIssue | Issue | PullRequest
type DraftIssue implements Node {
  assignees(${PAGE}): UserConnection!
  body: String!
  createdAt: DateTime!
  creator: Actor
  id: ID!
  title: String!
  updatedAt: DateTime!
}
type ProjectV2Item implements Node {
  content: ProjectV2ItemContent
  createdAt: DateTime!
  creator: Actor
  databaseId: Int
  fieldValueByName(name: String!): ProjectV2ItemFieldValue
  fieldValues(${PAGE}): ProjectV2ItemFieldValueConnection!
  fullDatabaseId: BigInt
  id: ID!
  isArchived: Boolean!
  project: ProjectV2!
  type: ProjectV2ItemType!
  updatedAt: DateTime!
}
type ProjectV2ItemConnection { nodes: [ProjectV2Item] pageInfo: PageInfo! totalCount: Int! }
type ProjectV2ItemFieldTextValue implements Node { field: ProjectV2FieldConfiguration! id: ID! text: String }
type ProjectV2ItemFieldNumberValue implements Node {
  field: ProjectV2FieldConfiguration!
  id: ID!
  number: Float
}
type ProjectV2ItemFieldDateValue implements Node { date: Date field: ProjectV2FieldConfiguration! id: ID! }
type ProjectV2ItemFieldSingleSelectValue implements Node {
  field: ProjectV2FieldConfiguration!
  id: ID!
  name: String
  optionId: String
}
union ProjectV2ItemFieldValue = ProjectV2ItemFieldDateValue | ProjectV2ItemFieldNumberValue
  | ProjectV2ItemFieldSingleSelectValue | ProjectV2ItemFieldTextValue
type ProjectV2ItemFieldValueConnection {
  nodes: [ProjectV2ItemFieldValue]
  pageInfo: PageInfo!
  totalCount: Int!
}
`;
