const PAGE = 'first: Int, last: Int, after: String, before: String';

/** Repositories, and what is git in them. */
export const REPOSITORIES = `
enum RepositoryAffiliation { COLLABORATOR ORGANIZATION_MEMBER OWNER }
enum RepositoryPrivacy { PRIVATE PUBLIC }
enum RepositoryVisibility { INTERNAL PRIVATE PUBLIC }
enum RepositoryPermission { ADMIN MAINTAIN READ TRIAGE WRITE }
enum RepositoryOrderField { CREATED_AT NAME PUSHED_AT STARGAZERS UPDATED_AT }
input RepositoryOrder { direction: OrderDirection! field: RepositoryOrderField! }
enum SubscriptionState { IGNORED SUBSCRIBED UNSUBSCRIBED }
enum PullRequestMergeMethod { MERGE REBASE SQUASH }

type Repository implements Node & Starrable & UniformResourceLocatable {
  assignableUsers(${PAGE}, query: String): UserConnection!
  autoMergeAllowed: Boolean!
  codeOfConduct: CodeOfConduct
  createdAt: DateTime!
  databaseId: Int
  defaultBranchRef: Ref
  deleteBranchOnMerge: Boolean!
  description: String
  diskUsage: Int
  discussion(number: Int!): Discussion
  discussionCategories(${PAGE}): DiscussionCategoryConnection!
  discussionCategory(slug: String!): DiscussionCategory
  discussions(
    ${PAGE}
    answered: Boolean
    categoryId: ID
    orderBy: DiscussionOrder
    states: [DiscussionState!]
  ): DiscussionConnection!
  forkCount: Int!
  forks(${PAGE}, orderBy: RepositoryOrder): RepositoryConnection!
  hasDiscussionsEnabled: Boolean!
  hasIssuesEnabled: Boolean!
  hasProjectsEnabled: Boolean!
  hasWikiEnabled: Boolean!
  homepageUrl: URI
  id: ID!
  isArchived: Boolean!
  isBlankIssuesEnabled: Boolean!
  isDisabled: Boolean!
  isEmpty: Boolean!
  isFork: Boolean!
  isInOrganization: Boolean!
  isMirror: Boolean!
  isPrivate: Boolean!
  isSecurityPolicyEnabled: Boolean
  isTemplate: Boolean!
  isUserConfigurationRepository: Boolean!
  issue(number: Int!): Issue
  issueFields(${PAGE}): IssueFieldsConnection
  issueOrPullRequest(number: Int!): IssueOrPullRequest
  issueTemplates: [IssueTemplate!]
  issueTypes(${PAGE}): IssueTypeConnection
  issues(
    ${PAGE}
    filterBy: IssueFilters
    labels: [String!]
    orderBy: IssueOrder
    states: [IssueState!]
  ): IssueConnection!
  label(name: String!): Label
  labels(${PAGE}, orderBy: LabelOrder, query: String): LabelConnection
  languages(${PAGE}, orderBy: LanguageOrder): LanguageConnection
  latestRelease: Release
  licenseInfo: License
  mentionableUsers(${PAGE}, query: String): UserConnection!
  mergeCommitAllowed: Boolean!
  milestone(number: Int!): Milestone
  milestones(${PAGE}, orderBy: MilestoneOrder, query: String, states: [MilestoneState!]): MilestoneConnection
  mirrorUrl: URI
  name: String!
  nameWithOwner: String!
  object(expression: String, oid: GitObjectID): GitObject
  openGraphImageUrl: URI!
  owner: RepositoryOwner!
  parent: Repository
  primaryLanguage: Language
  projectV2(number: Int!): ProjectV2
  projectsV2(${PAGE}, query: String, orderBy: ProjectV2Order): ProjectV2Connection!
  pullRequest(number: Int!): PullRequest
  pullRequestTemplates: [PullRequestTemplate!]
  pullRequests(
    ${PAGE}
    baseRefName: String
    headRefName: String
    labels: [String!]
    orderBy: IssueOrder
    states: [PullRequestState!]
  ): PullRequestConnection!
  pushedAt: DateTime
  rebaseMergeAllowed: Boolean!
  ref(qualifiedName: String!): Ref
  refs(
    ${PAGE}
    refPrefix: String!
    direction: OrderDirection
    orderBy: RefOrder
    query: String
  ): RefConnection
  release(tagName: String!): Release
  releases(${PAGE}, orderBy: ReleaseOrder): ReleaseConnection!
  repositoryTopics(${PAGE}): RepositoryTopicConnection!
  resourcePath: URI!
  securityPolicyUrl: URI
  squashMergeAllowed: Boolean!
  sshUrl: GitSSHRemote!
  stargazerCount: Int!
  stargazers(${PAGE}): StargazerConnection!
  suggestedActors(
    ${PAGE}
    capabilities: [RepositorySuggestedActorFilter!]!
    query: String
  ): ActorConnection!
  templateRepository: Repository
  updatedAt: DateTime!
  url: URI!
  usesCustomOpenGraphImage: Boolean!
  viewerCanAdminister: Boolean!
  viewerDefaultCommitEmail: String
  viewerDefaultMergeMethod: PullRequestMergeMethod!
  viewerHasStarred: Boolean!
  viewerPermission: RepositoryPermission
  viewerPossibleCommitEmails: [String!]
  viewerSubscription: SubscriptionState
  visibility: RepositoryVisibility!
  watchers(${PAGE}): UserConnection!
}

enum RepositorySuggestedActorFilter { CAN_BE_ASSIGNED CAN_BE_AUTHOR }
type RepositoryEdge { cursor: String! node: Repository }
type RepositoryConnection {
  edges: [RepositoryEdge]
  nodes: [Repository]
  pageInfo: PageInfo!
  totalCount: Int!
  totalDiskUsage: Int!
}
type StargazerConnection { nodes: [User] pageInfo: PageInfo! totalCount: Int! }
type CodeOfConduct { key: String! name: String! url: URI }
type License { id: ID! key: String! name: String! nickname: String spdxId: String url: URI }
type IssueTemplate { about: String body: String filename: String! name: String! title: String }
type PullRequestTemplate { body: String filename: String }
type Topic { id: ID! name: String! }
type RepositoryTopic { id: ID! topic: Topic! url: URI! }
type RepositoryTopicConnection { nodes: [RepositoryTopic] pageInfo: PageInfo! totalCount: Int! }
type Language { color: String id: ID! name: String! }
type LanguageEdge { cursor: String! node: Language! size: Int! }
type LanguageConnection {
  edges: [LanguageEdge]
  nodes: [Language]
  pageInfo: PageInfo!
  totalCount: Int!
  totalSize: Int!
}
enum LanguageOrderField { SIZE }
input LanguageOrder { direction: OrderDirection! field: LanguageOrderField! }

interface GitObject {
  abbreviatedOid: String!
  commitResourcePath: URI!
  commitUrl: URI!
  id: ID!
  oid: GitObjectID!
  repository: Repository!
}

type Blob implements GitObject & Node {
  abbreviatedOid: String!
  byteSize: Int!
  commitResourcePath: URI!
  commitUrl: URI!
  id: ID!
  isBinary: Boolean
  isTruncated: Boolean!
  oid: GitObjectID!
  repository: Repository!
  text: String
}

type TreeEntry {
  extension: String
  mode: Int!
  name: String!
  object: GitObject
  oid: GitObjectID!
  path: String
  type: String!
}
type Tree implements GitObject & Node {
  abbreviatedOid: String!
  commitResourcePath: URI!
  commitUrl: URI!
  entries: [TreeEntry!]
  id: ID!
  oid: GitObjectID!
  repository: Repository!
}

type Tag implements GitObject & Node {
  abbreviatedOid: String!
  commitResourcePath: URI!
  commitUrl: URI!
  id: ID!
  message: String
  name: String!
  oid: GitObjectID!
  repository: Repository!
  tagger: GitActor
  target: GitObject!
}

type GitActor { avatarUrl(size: Int): URI! date: GitTimestamp email: String name: String user: User }
type GitActorConnection { nodes: [GitActor] pageInfo: PageInfo! totalCount: Int! }
type CommitConnection { edges: [CommitEdge] nodes: [Commit] pageInfo: PageInfo! totalCount: Int! }
type CommitHistoryConnection { edges: [CommitEdge] nodes: [Commit] pageInfo: PageInfo! totalCount: Int! }
type CommitEdge { cursor: String! node: Commit }

type Commit implements GitObject & Node & UniformResourceLocatable {
  abbreviatedOid: String!
  additions: Int!
  associatedPullRequests(${PAGE}, orderBy: PullRequestOrder): PullRequestConnection
  author: GitActor
  authoredDate: DateTime!
  authors(${PAGE}): GitActorConnection!
  changedFilesIfAvailable: Int
  checkSuites(${PAGE}): CheckSuiteConnection
  commitResourcePath: URI!
  commitUrl: URI!
  committedDate: DateTime!
  committer: GitActor
  deletions: Int!
  file(path: String!): TreeEntry
  history(${PAGE}, path: String, since: GitTimestamp, until: GitTimestamp): CommitHistoryConnection!
  id: ID!
  message: String!
  messageBody: String!
  messageHeadline: String!
  oid: GitObjectID!
  parents(${PAGE}): CommitConnection!
  pushedDate: DateTime
  repository: Repository!
  resourcePath: URI!
  status: Status
  statusCheckRollup: StatusCheckRollup
  tree: Tree!
  url: URI!
}

type Ref implements Node {
  associatedPullRequests(
    ${PAGE}
    states: [PullRequestState!]
    baseRefName: String
    headRefName: String
    orderBy: IssueOrder
  ): PullRequestConnection!
  branchProtectionRule: BranchProtectionRule
  id: ID!
  name: String!
  prefix: String!
  repository: Repository!
  target: GitObject
}

type BranchProtectionRule {
  id: ID!
  pattern: String!
  requiredApprovingReviewCount: Int
  requiresApprovingReviews: Boolean!
  requiresStrictStatusChecks: Boolean!
  requiresStatusChecks: Boolean!
}
enum RefOrderField { ALPHABETICAL TAG_COMMIT_DATE }
input RefOrder { direction: OrderDirection! field: RefOrderField! }
type RefEdge { cursor: String! node: Ref }
type RefConnection { edges: [RefEdge] nodes: [Ref] pageInfo: PageInfo! totalCount: Int! }

enum ReleaseOrderField { CREATED_AT NAME }
input ReleaseOrder { direction: OrderDirection! field: ReleaseOrderField! }
type ReleaseConnection { nodes: [Release] pageInfo: PageInfo! totalCount: Int! }
type Release implements Node & UniformResourceLocatable {
  author: User
  createdAt: DateTime!
  databaseId: Int
  description: String
  id: ID!
  immutable: Boolean!
  isDraft: Boolean!
  isLatest: Boolean!
  isPrerelease: Boolean!
  name: String
  publishedAt: DateTime
  releaseAssets(${PAGE}, name: String): ReleaseAssetConnection!
  repository: Repository!
  resourcePath: URI!
  tagCommit: Commit
  tagName: String!
  updatedAt: DateTime!
  url: URI!
}
type ReleaseAssetConnection { nodes: [ReleaseAsset] pageInfo: PageInfo! totalCount: Int! }
type ReleaseAsset {
  contentType: String!
  createdAt: DateTime!
  downloadCount: Int!
  downloadUrl: URI!
  id: ID!
  name: String!
  size: Int!
  updatedAt: DateTime!
}
`;
