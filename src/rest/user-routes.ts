/** The paths of users. */
import { Refusal } from "../errors.ts";
import { arrayOf, createdUser, schemaOf, type UserData, user } from "./bodies.ts";
import { idText, paging, required, text } from "./parameters.ts";
import { bodyOrQueryText, bodyText, pathText, type RestRequest } from "./request.ts";
import type { FieldNames, Route } from "./route-form.ts";
import { lookup, pageFields, pageVariables, sameObject, selectedBy, selectorsOf } from "./shared-parts.ts";

const userFields = "id email createdAt";

const userSelectors = (request: RestRequest) => selectorsOf(request, { id: "id", email: "email" });

/** What happens to the domains of a deleted user: `domains=delete`, in the query or the body. */
function onDomains(request: RestRequest): "REFUSE" | "DELETE" {
  const fate = bodyOrQueryText(request, "domains");
  if (fate === undefined) return "REFUSE";
  if (fate === "delete") return "DELETE";
  throw new Refusal("INVALID_VALUE", "domains is not valid; write domains=delete, or leave it out.", {
    field: "domains",
  });
}

/** The names of a mutation's fields on these paths: the selector `by` is the id in the path. */
const namesOfUser: FieldNames = { by: "id" };

const email = required(text("email", "E-mail address, unique regardless of letter case."));
const domains = text("domains", "`delete` deletes the domains of the user too; without it, USER_HAS_DOMAINS.", {
  enum: ["delete"],
});

export const userRoutes: readonly Route[] = [
  {
    method: "get",
    path: "/user/list",
    docs: {
      summary: "The users: all of them for an administrator, the key's own for a user; with `id` or `email` one user",
      query: paging,
      answer: arrayOf("User"),
    },
    list: "users",
    operation: `query (${pageVariables}) {
      users(first: $first, after: $after) { nodes { ${userFields} } ${pageFields} }
    }`,
    variables: () => ({}),
    pageSize: 1000,
    view: user.view,
    unless: (request) => userSelectors(request).length > 0,
  },
  {
    method: "get",
    path: "/user/list",
    docs: {
      summary: "One user",
      query: [text("id", "The user's id.", idText), text("email", "The user's e-mail address.")],
      answer: schemaOf("User"),
    },
    operation: lookup("user", userFields),
    variables: (request) => selectedBy(userSelectors(request)),
    view: (data) => user.view(sameObject<UserData>(data.user, data, "id")),
  },
  {
    method: "get",
    path: "/user/list/:id",
    docs: { summary: "One user", query: [text("email", "Must be that user's.")], answer: schemaOf("User") },
    operation: lookup("user", userFields),
    variables: (request) => selectedBy([{ id: pathText(request, "id") }, ...userSelectors(request)]),
    view: (data) => user.view(sameObject<UserData>(data.user, data, "id")),
  },
  {
    method: "post",
    path: "/user/add",
    docs: { summary: "Creates a user. Administrators only", body: [email], answer: schemaOf("CreatedUser") },
    status: 201,
    operation: `mutation ($input: CreateUserInput!) { createUser(input: $input) { user { ${userFields} } } }`,
    variables: (request) => ({ input: { email: bodyText(request, "email") } }),
    view: (data) => createdUser.view(data.createUser.user),
  },
  {
    method: "put",
    path: "/user/edit/:id",
    docs: { summary: "Changes a user's e-mail address. Administrators only", body: [email], answer: schemaOf("Email") },
    operation: "mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { email } } }",
    variables: (request) => ({ input: { by: { id: pathText(request, "id") }, email: bodyText(request, "email") } }),
    names: namesOfUser,
    view: (data) => ({ email: data.updateUser.user.email }),
  },
  {
    method: "delete",
    path: "/user/delete/:id",
    docs: { summary: "Deletes a user with the user's keys. Administrators only", query: [domains], body: [domains] },
    status: 204,
    operation: "mutation ($input: DeleteUserInput!) { deleteUser(input: $input) { deletedId } }",
    variables: (request) => ({ input: { by: { id: pathText(request, "id") }, onDomains: onDomains(request) } }),
    names: namesOfUser,
  },
];
