/** Where the publisher tells what an operator should know. */
export interface Log {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
  error(about: object, message: string): void;
}
