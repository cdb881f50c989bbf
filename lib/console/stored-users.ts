import { z } from "zod";
import { findUser, listUsers } from "../manage/users/users.ts";
import { theConsole } from "./console.ts";
import { read } from "./read.ts";

export const getUsers = read("users", z.object({}), async ({ console: { redis } }) => ({
  users: await listUsers(redis),
}));

export const readUser = (email: string) => findUser(theConsole().redis, email);
