import {
  Alert,
  Button,
  Group,
  List,
  PasswordInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
  ThemeIcon,
  VisuallyHidden,
} from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { contract } from '../../../../src/modules/access/oidc/contract.ts';
import { api, type Response } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { useDraftForm } from '../../ui/draft-form.ts';
import { fieldFault } from '../../ui/faults.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import classes from '../admin.module.css';
import { Section } from '../section.tsx';

/** How people come in. */
export function SignInSettings() {
  const refusal = useRefusal('UPDATE_AUTH_CONFIGURATION');
  return (
    <Page
      title="Signing in"
      lead="With a password, through an OpenID provider, or both."
      refusal={refusal}
    >
      <Passwords />
      <OpenId />
    </Page>
  );
}

const setDisabled = async (disabled: boolean) => {
  await api('POST /api/admin/auth/simple/settings', { body: { disabled } });
  await invalidate('GET /api/admin/auth/simple/settings', 'GET /api/admin/ui-config');
};

function Passwords() {
  const { disabled } = useSuspenseQuery(read('GET /api/admin/auth/simple/settings', {})).data;
  const { enabled: hasProvider } = useSuspenseQuery(
    read('GET /api/admin/auth/oidc/settings', {}),
  ).data;
  const change = useMutation({
    mutationFn: setDisabled,
    onSuccess: (_, isOff) =>
      tellDone({
        id: 'passwords',
        title: isOff ? 'Password sign-in disabled' : 'Password sign-in enabled',
        undo: () => setDisabled(!isOff),
      }),
    onError: (error) => tellProblem('update password sign-in', error),
  });
  const reason =
    !disabled && !hasProvider
      ? 'Nobody could sign in. Set up an OpenID provider first.'
      : undefined;
  return (
    <div className="card">
      <div className={classes.setting}>
        <div>
          <Text size="sm" fw={600}>
            Passwords
          </Text>
          <Text size="sm" className="quiet">
            {reason ??
              'People sign in with a user name or an e-mail address and a password of their own.'}
          </Text>
        </div>
        <Switch
          aria-label="Passwords"
          checked={!disabled}
          disabled={change.isPending || reason !== undefined}
          onChange={({ currentTarget }) => change.mutate(!currentTarget.checked)}
        />
      </div>
    </div>
  );
}

type Settings = Response<'GET /api/admin/auth/oidc/settings'>;

const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;

/** What the form says, with an empty text where there is nothing. */
const formOf = (settings: Settings) => ({
  enabled: settings.enabled,
  discoverUrl: settings.discoverUrl ?? '',
  clientId: settings.clientId ?? '',
  secret: settings.secret ?? '',
  enablePkce: settings.enablePkce,
  autoCreate: settings.autoCreate,
  defaultRootRoleId: settings.defaultRootRoleId,
  emailDomains: settings.emailDomains ?? '',
  enableGroupSyncing: settings.enableGroupSyncing,
  groupJsonPath: settings.groupJsonPath ?? '',
  addGroupsScope: settings.addGroupsScope,
  acrValues: settings.acrValues ?? '',
  idTokenSigningAlgorithm: settings.idTokenSigningAlgorithm ?? null,
});

type Form = ReturnType<typeof formOf>;

const labels: Readonly<Record<keyof Form, string>> = {
  enabled: 'on or off',
  discoverUrl: 'address of the provider',
  clientId: 'client id',
  secret: 'client secret',
  enablePkce: 'PKCE',
  autoCreate: 'accounts at the first sign-in',
  defaultRootRoleId: 'role of new people',
  emailDomains: 'e-mail domains',
  enableGroupSyncing: 'group syncing',
  groupJsonPath: 'claim with the groups',
  addGroupsScope: 'scope groups',
  acrValues: 'acr values',
  idTokenSigningAlgorithm: 'signature',
};

function OpenId() {
  const settings = useSuspenseQuery(read('GET /api/admin/auth/oidc/settings', {})).data;
  const { roles } = useSuspenseQuery(read('GET /api/admin/roles', {})).data;
  const { unleashUrl } = useSuspenseQuery(read('GET /api/admin/ui-config', {})).data;
  const mayNotChange = useRefusal('ADMIN');
  const draft = useDraftForm({
    saved: formOf(settings),
    schema: contract.setOidcSettings.body,
    bodyOf: (form, fields): Partial<Form> =>
      Object.fromEntries(fields.map((field) => [field, form[field]])),
    send: (body) => api('POST /api/admin/auth/oidc/settings', { body }),
    refreshes: ['GET /api/admin/auth/oidc/settings'],
    onSaved: () => tellDone({ id: 'openid', title: 'Single sign-on settings saved' }),
  });
  const { values, changed, set } = draft;
  const disabled = mayNotChange !== undefined;
  const text = (field: Parameters<typeof draft.textProps>[0]) => ({
    ...draft.textProps(field),
    disabled,
  });
  const toggle = (field: Parameters<typeof draft.checkedProps>[0]) => ({
    ...draft.checkedProps(field),
    disabled,
  });
  return (
    <>
      <Section
        title="OpenID Connect"
        lead={
          mayNotChange ??
          'People sign in where they always do: Keycloak, Entra ID, Google, Okta and others.'
        }
      >
        <Switch label="People can sign in through the provider" {...toggle('enabled')} />
        <div>
          <Text size="sm" fw={500} mb={4}>
            Redirect URI, to be registered at the provider
          </Text>
          <Copyable
            text={`${unleashUrl.replace(/\/$/, '')}/auth/oidc/callback`}
            label="Copy the redirect URI"
          />
        </div>
        <TextInput
          label="Address of the provider"
          description="Its issuer, such as https://login.example.com/realms/company"
          {...text('discoverUrl')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="Client id" {...text('clientId')} />
          <PasswordInput
            label="Client secret"
            description={
              settings.secret === undefined ? undefined : 'It is stored. Type to replace it.'
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="off"
            {...text('secret')}
          />
        </SimpleGrid>
        <TestProvider form={values} refusal={mayNotChange} isSaved={changed.length === 0} />
        <Switch
          label="Make an account for whoever signs in first"
          description="Otherwise only people who were invited come in."
          {...toggle('autoCreate')}
        />
        {values.autoCreate && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              label="Their role"
              allowDeselect={false}
              disabled={disabled}
              value={String(values.defaultRootRoleId)}
              onChange={(value) => set('defaultRootRoleId', Number(value))}
              data={roles
                .filter(({ type }) => type === 'root' || type === 'root-custom')
                .map(({ id, name }) => ({ value: String(id), label: name }))}
            />
            <TextInput
              label="Only addresses of these domains"
              description="Separated by commas; empty: all"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              placeholder="example.com"
              {...text('emailDomains')}
            />
          </SimpleGrid>
        )}
        <Switch
          label="Groups follow the provider"
          description="Each sign-in updates the groups that follow one of the provider’s."
          {...toggle('enableGroupSyncing')}
        />
        {values.enableGroupSyncing && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label="Claim with the groups"
              placeholder="groups"
              {...text('groupJsonPath')}
            />
            <Switch mt={30} label="Ask for the scope groups" {...toggle('addGroupsScope')} />
          </SimpleGrid>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Signature"
            clearable
            placeholder="Any that the provider offers"
            disabled={disabled}
            value={values.idTokenSigningAlgorithm}
            onChange={(value) =>
              set('idTokenSigningAlgorithm', value as Form['idTokenSigningAlgorithm'])
            }
            data={[...algorithms]}
          />
          <TextInput label="acr values" placeholder="None" {...text('acrValues')} />
        </SimpleGrid>
        <Switch
          label="PKCE"
          description="Protects the code on its way. Nearly every provider knows it."
          {...toggle('enablePkce')}
        />
        {draft.error && (
          <Alert color="red" role="alert">
            {draft.error.message}
          </Alert>
        )}
      </Section>
      <SaveBar
        changes={changed.map((field) => labels[field])}
        isSaving={draft.isPending}
        onSave={draft.save}
        onDiscard={draft.discard}
      />
    </>
  );
}

interface TestProps {
  readonly form: Form;
  readonly refusal: string | undefined;
  readonly isSaved: boolean;
}

const results = {
  passed: { color: 'teal', icon: IconCheck, word: 'Good: ' },
  doubtful: { color: 'yellow', icon: IconAlertTriangle, word: 'Doubtful: ' },
  failed: { color: 'red', icon: IconX, word: 'Wrong: ' },
} as const;

/** Asks the provider about itself, before anybody depends on it. */
function TestProvider({ form, refusal, isSaved }: TestProps) {
  const [tested, setTested] = useState('');
  const test = useMutation({
    mutationFn: () =>
      api('POST /api/admin/auth/oidc/settings/test', {
        body: {
          ...(form.discoverUrl !== '' && { discoverUrl: form.discoverUrl }),
          idTokenSigningAlgorithm: form.idTokenSigningAlgorithm,
          enablePkce: form.enablePkce,
          addGroupsScope: form.enableGroupSyncing && form.addGroupsScope,
          hasClientId: form.clientId.trim() !== '',
          hasSecret: form.secret !== '',
        },
      }),
    onMutate: () => setTested(JSON.stringify(form)),
  });
  const isCurrent = tested === JSON.stringify(form);
  return (
    <Stack gap="xs">
      <Group>
        <GuardedButton
          variant="default"
          refusal={refusal}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Test the provider
        </GuardedButton>
        {isSaved && form.enabled && (
          <Button
            variant="subtle"
            component="a"
            href={new URL('auth/oidc/login', document.baseURI).pathname}
            target="_blank"
            rel="noreferrer"
          >
            Sign in through it in a new tab
          </Button>
        )}
      </Group>
      {test.isError && (
        <Alert color="red" role="alert">
          {fieldFault(test.error, 'discoverUrl') ?? test.error.message}
        </Alert>
      )}
      {test.data && isCurrent && (
        <List spacing={6} size="sm" center role="status" aria-label="Result of the test">
          {test.data.findings.map(({ result, message }) => {
            const { color, icon: Icon, word } = results[result];
            return (
              <List.Item
                key={message}
                icon={
                  <ThemeIcon size={20} radius="xl" color={color} variant="light" aria-hidden>
                    <Icon size={14} />
                  </ThemeIcon>
                }
              >
                <VisuallyHidden>{word}</VisuallyHidden>
                {message}
              </List.Item>
            );
          })}
        </List>
      )}
    </Stack>
  );
}
