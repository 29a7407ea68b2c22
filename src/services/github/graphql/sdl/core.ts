/** Scalars, roots and what everything shares. The names are those of the published schema. */
export const CORE = `
scalar Base64String
scalar BigInt
scalar Date
scalar DateTime
scalar GitObjectID
scalar GitSSHRemote
scalar GitTimestamp
scalar HTML
scalar URI

directive @preview(toggledBy: String) on FIELD_DEFINITION

interface Node { id: ID! }
interface UniformResourceLocatable { resourcePath: URI! url: URI! }
interface Starrable { id: ID! stargazerCount: Int! viewerHasStarred: Boolean! }
interface Closable { closed: Boolean! closedAt: DateTime }
interface Lockable { activeLockReason: LockReason locked: Boolean! }

enum OrderDirection { ASC DESC }
enum LockReason { OFF_TOPIC RESOLVED SPAM TOO_HEATED }

type PageInfo {
  endCursor: String
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
}

type RateLimit {
  cost: Int!
  limit: Int!
  nodeCount: Int!
  remaining: Int!
  resetAt: DateTime!
  used: Int!
}

type GitHubMetadata {
  gitHubServicesSha: GitObjectID!
  isPasswordAuthenticationVerifiable: Boolean!
}

type Query {
  viewer: User!
  user(login: String!): User
  organization(login: String!): Organization
  repositoryOwner(login: String!): RepositoryOwner
  repository(owner: String!, name: String!, followRenames: Boolean = true): Repository
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  resource(url: URI!): UniformResourceLocatable
  rateLimit(dryRun: Boolean = false): RateLimit
  meta: GitHubMetadata!
  search(
    query: String!
    type: SearchType!
    first: Int
    last: Int
    after: String
    before: String
  ): SearchResultItemConnection!
}

enum SearchType { DISCUSSION ISSUE ISSUE_ADVANCED REPOSITORY USER }
union SearchResultItem = Discussion | Issue | Organization | PullRequest | Repository | User
type SearchResultItemEdge { cursor: String! node: SearchResultItem }
type SearchResultItemConnection {
  codeCount: Int!
  discussionCount: Int!
  edges: [SearchResultItemEdge]
  issueCount: Int!
  nodes: [SearchResultItem]
  pageInfo: PageInfo!
  repositoryCount: Int!
  userCount: Int!
  wikiCount: Int!
}
`;
