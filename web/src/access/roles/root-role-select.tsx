import { NativeSelect, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Response } from '../../api.ts';
import { invalidate, type Read } from '../../queries.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { nameOfAccount } from '../account-words.ts';

type RootRole = Response<'GET /api/admin/user-admin'>['rootRoles'][number];

/** The built-in role Admin. */
const adminId = 1;

interface Props {
  readonly account: Parameters<typeof nameOfAccount>[0] & {
    readonly rootRole?: number | undefined;
  };
  readonly rootRoles: readonly RootRole[];
  readonly save: (rootRole: number) => Promise<unknown>;
  /** What shows the role. */
  readonly reads: readonly Read[];
}

interface Change {
  readonly role: number;
  /** For Undo: the account has the new role when that is offered. */
  readonly former: number;
}

/** Changes the root role of a user or service account at once, with Undo. Granting Admin asks first. */
export function RootRoleSelect({ account, rootRoles, save, reads }: Props) {
  const name = nameOfAccount(account);
  const current = account.rootRole ?? 0;
  const [isAsking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: async ({ role }: Change) => {
      await save(role);
      await invalidate(...reads);
    },
    onSuccess: (_, { role, former }) =>
      tellDone({
        id: `role of ${account.id}`,
        title: `${name} now has the ${rootRoles.find(({ id }) => id === role)?.name} role`,
        undo: async () => {
          await save(former);
          await invalidate(...reads);
        },
      }),
  });
  const fail = (error: Error) => tellProblem(`change the role of ${name}`, error);
  return (
    <>
      <NativeSelect
        aria-label={`Role for ${name}`}
        size="xs"
        maw={180}
        disabled={change.isPending}
        value={change.isPending ? change.variables.role : current}
        onChange={({ currentTarget }) => {
          const role = Number(currentTarget.value);
          if (role === adminId) setAsking(true);
          else change.mutate({ role, former: current }, { onError: fail });
        }}
        data={rootRoles.map((role) => ({ value: String(role.id), label: role.name }))}
      />
      {isAsking && (
        <Confirm
          title={`Make ${name} an admin?`}
          action="Make admin"
          onClose={() => setAsking(false)}
          onConfirm={() => change.mutateAsync({ role: adminId, former: current })}
        >
          <Text size="sm">
            Admins have full access to every project, including private ones, and can manage users,
            roles, and settings.
          </Text>
        </Confirm>
      )}
    </>
  );
}
