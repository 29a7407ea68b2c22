/** Kinds of fields that issues may have, and what their values are. */
const KINDS: readonly (readonly [kind: string, value: string])[] = [
  ['Date', 'String'],
  ['Number', 'Float'],
  ['SingleSelect', 'String'],
  ['Text', 'String'],
];

/** Fields of issues: GitHub has them, and this world's organisations have none. */
export const ISSUE_FIELDS = `
interface IssueFieldCommon { dataType: IssueFieldDataType! description: String name: String! }
enum IssueFieldDataType { DATE NUMBER SINGLE_SELECT TEXT }
enum IssueFieldVisibility { ALL ORG_ONLY }
enum IssueFieldSingleSelectOptionColor { BLUE GRAY GREEN ORANGE PINK PURPLE RED YELLOW }
type IssueFieldSingleSelectOption {
  color: IssueFieldSingleSelectOptionColor!
  description: String
  fullDatabaseId: BigInt
  id: ID!
  name: String!
  priority: Int
}
${KINDS.map(
  ([kind, value]) => `
type IssueField${kind} implements IssueFieldCommon & Node {
  dataType: IssueFieldDataType!
  description: String
  fullDatabaseId: BigInt
  id: ID!
  name: String!
  visibility: IssueFieldVisibility!${kind === 'SingleSelect' ? '\n  options: [IssueFieldSingleSelectOption!]!' : ''}
}
type IssueField${kind}Value implements Node { field: IssueFields id: ID! value: ${value}! }`,
).join('\n')}
union IssueFields = ${KINDS.map(([kind]) => `IssueField${kind}`).join(' | ')}
union IssueFieldValue = ${KINDS.map(([kind]) => `IssueField${kind}Value`).join(' | ')}
type IssueFieldsConnection { nodes: [IssueFields] pageInfo: PageInfo! totalCount: Int! }
type IssueFieldValueConnection { nodes: [IssueFieldValue] pageInfo: PageInfo! totalCount: Int! }
`;
