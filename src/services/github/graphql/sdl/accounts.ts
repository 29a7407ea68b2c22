const PAGE = 'first: Int, last: Int, after: String, before: String';
const REPOSITORY_ARGUMENTS = `${PAGE}
    affiliations: [RepositoryAffiliation]
    isArchived: Boolean
    isFork: Boolean
    orderBy: RepositoryOrder
    ownerAffiliations: [RepositoryAffiliation]
    privacy: RepositoryPrivacy
    visibility: RepositoryVisibility`;
const PROJECT_ARGUMENTS = `${PAGE}
    minPermissionLevel: ProjectV2PermissionLevel
    orderBy: ProjectV2Order
    query: String`;

/** People, organisations, teams and bots. */
export const ACCOUNTS = `
interface Actor { avatarUrl(size: Int): URI! login: String! resourcePath: URI! url: URI! }
interface RepositoryOwner {
  avatarUrl(size: Int): URI!
  id: ID!
  login: String!
  repositories(${REPOSITORY_ARGUMENTS}): RepositoryConnection!
  repository(name: String!, followRenames: Boolean = true): Repository
  resourcePath: URI!
  url: URI!
}
interface ProfileOwner { email: String id: ID! login: String! name: String }
interface ProjectV2Owner {
  id: ID!
  projectV2(number: Int!): ProjectV2
  projectsV2(${PROJECT_ARGUMENTS}): ProjectV2Connection!
}

union Assignee = Bot | Organization | User
union RequestedReviewer = Bot | Team | User

type User implements Actor & Node & ProfileOwner & ProjectV2Owner & RepositoryOwner
  & UniformResourceLocatable {
  avatarUrl(size: Int): URI!
  bio: String
  company: String
  createdAt: DateTime!
  databaseId: Int
  email: String!
  followers(first: Int, last: Int, after: String, before: String): FollowerConnection!
  following(first: Int, last: Int, after: String, before: String): FollowingConnection!
  gists(${PAGE}, privacy: GistPrivacy, orderBy: GistOrder): GistConnection!
  id: ID!
  isSiteAdmin: Boolean!
  isViewer: Boolean!
  location: String
  login: String!
  name: String
  organization(login: String!): Organization
  organizations(first: Int, last: Int, after: String, before: String): OrganizationConnection!
  projectV2(number: Int!): ProjectV2
  projectsV2(${PROJECT_ARGUMENTS}): ProjectV2Connection!
  repositories(${REPOSITORY_ARGUMENTS}): RepositoryConnection!
  repository(name: String!, followRenames: Boolean = true): Repository
  resourcePath: URI!
  twitterUsername: String
  updatedAt: DateTime!
  url: URI!
  websiteUrl: URI
}

type Organization implements Actor & Node & ProfileOwner & ProjectV2Owner & RepositoryOwner
  & UniformResourceLocatable {
  avatarUrl(size: Int): URI!
  createdAt: DateTime!
  databaseId: Int
  description: String
  email: String
  id: ID!
  issueFields(first: Int, last: Int, after: String, before: String): IssueFieldsConnection
  issueTypes(first: Int, last: Int, after: String, before: String): IssueTypeConnection
  location: String
  login: String!
  membersWithRole(first: Int, last: Int, after: String, before: String): OrganizationMemberConnection!
  name: String
  projectV2(number: Int!): ProjectV2
  projectsV2(${PROJECT_ARGUMENTS}): ProjectV2Connection!
  repositories(${REPOSITORY_ARGUMENTS}): RepositoryConnection!
  repository(name: String!, followRenames: Boolean = true): Repository
  resourcePath: URI!
  team(slug: String!): Team
  teams(
    first: Int
    last: Int
    after: String
    before: String
    userLogins: [String!]
    query: String
    orderBy: TeamOrder
  ): TeamConnection!
  url: URI!
  viewerCanAdminister: Boolean!
  viewerIsAMember: Boolean!
  websiteUrl: URI
}

type Bot implements Actor & Node & UniformResourceLocatable {
  avatarUrl(size: Int): URI!
  createdAt: DateTime!
  databaseId: Int
  id: ID!
  login: String!
  resourcePath: URI!
  updatedAt: DateTime!
  url: URI!
}

type Team implements Node {
  combinedSlug: String!
  createdAt: DateTime!
  databaseId: Int
  description: String
  id: ID!
  members(first: Int, last: Int, after: String, before: String, query: String): TeamMemberConnection!
  name: String!
  organization: Organization!
  privacy: TeamPrivacy!
  resourcePath: URI!
  slug: String!
  updatedAt: DateTime!
  url: URI!
}

enum TeamPrivacy { SECRET VISIBLE }
enum TeamOrderField { NAME }
input TeamOrder { direction: OrderDirection! field: TeamOrderField! }

enum GistPrivacy { ALL PUBLIC SECRET }
enum GistOrderField { CREATED_AT PUSHED_AT UPDATED_AT }
input GistOrder { direction: OrderDirection! field: GistOrderField! }
type GistFile { encodedName: String name: String size: Int text(truncate: Int): String }
type Gist implements Node {
  createdAt: DateTime!
  description: String
  files(limit: Int = 10, oid: GitObjectID): [GistFile]
  id: ID!
  isFork: Boolean!
  isPublic: Boolean!
  name: String!
  owner: RepositoryOwner
  updatedAt: DateTime!
  url: URI!
}
type GistConnection { nodes: [Gist] pageInfo: PageInfo! totalCount: Int! }
type FollowerConnection { nodes: [User] pageInfo: PageInfo! totalCount: Int! }
type FollowingConnection { nodes: [User] pageInfo: PageInfo! totalCount: Int! }
type OrganizationConnection { nodes: [Organization] pageInfo: PageInfo! totalCount: Int! }
type OrganizationMemberConnection { nodes: [User] pageInfo: PageInfo! totalCount: Int! }
type TeamConnection { nodes: [Team] pageInfo: PageInfo! totalCount: Int! }
type TeamMemberConnection { nodes: [User] pageInfo: PageInfo! totalCount: Int! }
type UserEdge { cursor: String! node: User }
type UserConnection { edges: [UserEdge] nodes: [User] pageInfo: PageInfo! totalCount: Int! }
type ActorConnection { nodes: [Actor] pageInfo: PageInfo! totalCount: Int! }
`;
