/**
 * The interface of everything in the schema that has an id, by which caches of clients keep objects. A row that `node`
 * returns has its type.
 */
import { Field, InterfaceType } from "type-graphql";
import { IdScalar } from "./scalars.ts";

/** The property of a row that holds the name of its object type. */
export const typeOfNode = Symbol("the object type of a node");

@InterfaceType({
  description: "An object with an id, which is unique across types, except for objects from 0.1.",
  resolveType: (row) => row[typeOfNode],
})
export abstract class Node {
  @Field(() => IdScalar, { description: "Its id." })
  id!: number;
}
