import type { Json } from '../proof/canonical.ts';

/** How sentences call an account: its name, else its email address, else its username. */
export const personName = ({
  name,
  email,
  username,
  id,
}: {
  readonly name?: Json | undefined;
  readonly email?: Json | undefined;
  readonly username?: Json | undefined;
  readonly id?: Json | undefined;
}): string => String(name || email || username || id);
