import { Button, Group, NativeSelect, Select, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { contract } from '../../../../src/modules/access/service-accounts/contract.ts';
import { api, type Response } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { GuardedIcon } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { List, Row } from '../../ui/list.tsx';
import { listSearch } from '../../ui/list-search.ts';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { useSaveForm } from '../../ui/save-form.ts';
import { Since } from '../../ui/time.tsx';
import classes from '../access.module.css';
import { nameOfAccount } from '../account-words.ts';
import { CreatePersonalToken } from './create-personal-token.tsx';

const route = getRouteApi('/shell/admin/service-accounts');

type Accounts = Response<'GET /api/admin/service-account'>;
type Account = Accounts['serviceAccounts'][number];
type Token = Account['tokens'][number];

const reads = ['GET /api/admin/service-account', 'GET /api/admin/access/overview'] as const;
const refresh = () => invalidate(...reads);

/** Accounts for machines: a role as people have it, and tokens instead of a password. */
export function ServiceAccounts() {
  const refusal = useRefusal('ADMIN');
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Service accounts"
      lead="For scripts and pipelines that change things. Each has a role like a person, so it may do just that; what it does stands in the log under its name."
      refusal={refusal}
      action={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          New service account
        </Button>
      }
    >
      <AccountList isCreating={isCreating} onCreated={() => setCreating(false)} />
    </Page>
  );
}

interface ListProps {
  readonly isCreating: boolean;
  readonly onCreated: () => void;
}

function AccountList({ isCreating, onCreated }: ListProps) {
  const { query = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { serviceAccounts, rootRoles } = useSuspenseQuery(
    read('GET /api/admin/service-account', {}),
  ).data;
  return (
    <>
      <List
        what="service accounts"
        items={serviceAccounts}
        textOf={({ username, name = '' }) => `${name} ${username}`}
        query={query}
        onQuery={(text) => void navigate({ search: listSearch(text), replace: true })}
        empty={
          <EmptyState title="There are no service accounts yet">
            Make one for each script, and give it the narrowest role that is enough. An API token of
            an administrator may do everything; this may not.
          </EmptyState>
        }
      >
        {(account) => <AccountRow key={account.id} account={account} rootRoles={rootRoles} />}
      </List>
      {isCreating && <CreateAccount rootRoles={rootRoles} onClose={onCreated} />}
    </>
  );
}

interface RowProps {
  readonly account: Account;
  readonly rootRoles: Accounts['rootRoles'];
}

const setRole = ({ id }: Account, rootRole: number) =>
  api('PUT /api/admin/service-account/:id', { params: { id: String(id) }, body: { rootRole } });

function AccountRow({ account, rootRoles }: RowProps) {
  const name = nameOfAccount(account);
  const [isAdding, setAdding] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [revoking, setRevoking] = useState<Token>();
  const before = account.rootRole ?? 0;
  const change = useMutation({
    mutationFn: (role: number) => setRole(account, role),
    onSuccess: async (_, role) => {
      await refresh();
      tellDone({
        id: `role of ${account.id}`,
        title: `${name} now has the ${rootRoles.find(({ id }) => id === role)?.name} role`,
        undo: async () => {
          await setRole(account, before);
          await refresh();
        },
      });
    },
    onError: (error) => tellProblem(`change the role of ${name}`, error),
  });
  return (
    <Row
      name={name}
      title={
        <PageLink
          to="/admin/users/$userId"
          params={{ userId: String(account.id) }}
          fw={600}
          size="sm"
        >
          {name}
        </PageLink>
      }
      note={
        <>
          {account.username} ·{' '}
          {account.seenAt === undefined ? (
            'never seen'
          ) : (
            <>
              last seen <Since instant={account.seenAt} />
            </>
          )}{' '}
          ·{' '}
          <PageLink
            to="/history"
            search={{ q: `actor:${account.id}` }}
            size="sm"
            underline="always"
          >
            what it did
          </PageLink>
        </>
      }
      actions={
        <>
          <NativeSelect
            aria-label={`Role of ${name}`}
            size="xs"
            disabled={change.isPending}
            value={change.isPending ? change.variables : before}
            onChange={({ currentTarget }) => change.mutate(Number(currentTarget.value))}
            data={rootRoles.map((role) => ({ value: String(role.id), label: role.name }))}
          />
          <GuardedIcon
            icon={IconTrash}
            refusal={undefined}
            label={`Delete ${name}`}
            onClick={() => setDeleting(true)}
          />
        </>
      }
    >
      {account.tokens.length > 0 && (
        <ul className={classes.rows} aria-label={`Tokens of ${name}`}>
          {account.tokens.map((token) => (
            <li key={token.id}>
              <div>
                <Text size="sm" fw={500}>
                  {token.description}
                </Text>
                <Text size="xs" className="quiet" component="div">
                  {token.seenAt === null ? (
                    'never used'
                  ) : (
                    <>
                      last used <Since instant={token.seenAt} />
                    </>
                  )}
                  {token.expiresAt !== null && (
                    <>
                      {' '}
                      · {new Date(token.expiresAt) < new Date() ? 'expired' : 'expires'}{' '}
                      <Since instant={token.expiresAt} />
                    </>
                  )}
                </Text>
              </div>
              <Button
                size="xs"
                variant="default"
                aria-label={`Revoke ${token.description}`}
                onClick={() => setRevoking(token)}
              >
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Group>
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          New token
        </Button>
      </Group>
      {isAdding && (
        <CreatePersonalToken
          title={`New token of ${name}`}
          placeholder="GitHub Actions"
          usualTerm="365"
          note="It has the permissions of the account."
          send={(body) =>
            api('POST /api/admin/service-account/:id/token', {
              params: { id: String(account.id) },
              body,
            })
          }
          refreshes={reads}
          onClose={() => setAdding(false)}
        />
      )}
      {revoking && (
        <Confirm
          title={`Revoke the token ${revoking.description}?`}
          action="Revoke token"
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await api('DELETE /api/admin/service-account/:id/token/:tokenId', {
              params: { id: String(account.id), tokenId: String(revoking.id) },
            });
            await refresh();
            tellDone({
              id: `token ${revoking.id}`,
              title: `Token ${revoking.description} revoked`,
            });
          }}
        >
          <Text size="sm">Whatever uses it is refused at once. This cannot be undone.</Text>
        </Confirm>
      )}
      {isDeleting && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete service account"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api('DELETE /api/admin/service-account/:id', {
              params: { id: String(account.id) },
            });
            await refresh();
            tellDone({ id: 'account deleted', title: `Service account ${name} deleted` });
          }}
        >
          <Text size="sm">
            Its tokens work no longer. What it did stays in the log. This cannot be undone.
          </Text>
        </Confirm>
      )}
    </Row>
  );
}

interface CreateProps {
  readonly rootRoles: Accounts['rootRoles'];
  readonly onClose: () => void;
}

/** Reading is enough for many scripts, and roles in projects come on top. */
const viewer = '3';

function CreateAccount({ rootRoles, onClose }: CreateProps) {
  const saving = useSaveForm({
    initialValues: { name: '', username: '', rootRole: viewer },
    schema: contract.createServiceAccount.body,
    bodyOf: ({ name, username, rootRole }) => ({
      username: username.trim(),
      name: name.trim(),
      rootRole: Number(rootRole),
    }),
    send: (body) => api('POST /api/admin/service-account', { body }),
    refreshes: reads,
    onSaved: (account) => {
      onClose();
      tellDone({
        id: `account ${account.id}`,
        title: `Service account ${nameOfAccount(account)} created`,
      });
    },
  });
  const { form } = saving;
  return (
    <FormDialog
      title="New service account"
      action="Create service account"
      sending={saving}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        placeholder="Release pipeline"
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label="User name"
        description="The log names it so."
        placeholder="release-pipeline"
        required
        maxLength={255}
        {...form.getInputProps('username')}
      />
      <Select
        label="Role in the installation"
        description="Roles in projects are given there, like those of people."
        allowDeselect={false}
        {...form.getInputProps('rootRole')}
        data={rootRoles.map((each) => ({ value: String(each.id), label: each.name }))}
      />
    </FormDialog>
  );
}
