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
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { useDraftForm } from '../../ui/draft-form.ts';
import { fieldFault } from '../../ui/faults.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { WithCode } from '../../ui/with-code.tsx';
import { Section } from '../section.tsx';
import { formOf, type OidcForm, oidcChanges, savedTitle } from './oidc-form.ts';
import { SettingRow } from './setting-row.tsx';

/** How users sign in. */
export function SignInSettings() {
  const refusal = useRefusal('UPDATE_AUTH_CONFIGURATION');
  return (
    <Page
      title="Authentication"
      lead="Let users sign in with a password, single sign-on, or both."
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
  return (
    <SettingRow
      title="Password sign-in"
      description="Users sign in with a username or email and a password."
      checked={!disabled}
      isSaving={change.isPending}
      refusal={
        !disabled && !hasProvider
          ? 'Set up single sign-on first, or no one will be able to sign in.'
          : undefined
      }
      onChange={() => change.mutate(!disabled)}
    />
  );
}

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

function OpenId() {
  const settings = useSuspenseQuery(read('GET /api/admin/auth/oidc/settings', {})).data;
  const { roles } = useSuspenseQuery(read('GET /api/admin/roles', {})).data;
  const { unleashUrl } = useSuspenseQuery(read('GET /api/admin/ui-config', {})).data;
  const mayNotChange = useRefusal('ADMIN');
  const draft = useDraftForm({
    saved: formOf(settings),
    schema: contract.setOidcSettings.body,
    bodyOf: (form, fields): Partial<OidcForm> =>
      Object.fromEntries(fields.map((field) => [field, form[field]])),
    send: (body) => api('POST /api/admin/auth/oidc/settings', { body }),
    refreshes: ['GET /api/admin/auth/oidc/settings'],
    onSaved: (saved) => tellDone({ id: 'openid', title: savedTitle(settings, saved) }),
  });
  const { values, changed, set } = draft;
  const disabled = mayNotChange !== undefined;
  const roleName = (id: number) => roles.find((role) => role.id === id)?.name ?? String(id);
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
        title="Single sign-on (OpenID Connect)"
        lead={
          mayNotChange === undefined ? (
            'Works with Keycloak, Entra ID, Google, Okta, and other OpenID Connect providers.'
          ) : (
            <WithCode text={mayNotChange} />
          )
        }
      >
        <Switch label="Enable single sign-on" {...toggle('enabled')} />
        <div>
          <Text size="sm" fw={500}>
            Redirect URI
          </Text>
          <Text size="xs" className="quiet" mb={4}>
            Register this URI with your provider
          </Text>
          <Copyable
            text={`${unleashUrl.replace(/\/$/, '')}/auth/oidc/callback`}
            label="Copy redirect URI"
          />
        </div>
        <TextInput
          label="Issuer URL"
          description="For example, https://login.example.com/realms/company"
          {...text('discoverUrl')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="Client ID" {...text('clientId')} />
          <PasswordInput
            label="Client secret"
            description={
              settings.secret === undefined
                ? undefined
                : 'A secret is saved. Enter a new one to replace it.'
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="off"
            {...text('secret')}
          />
        </SimpleGrid>
        <TestProvider form={values} refusal={mayNotChange} isSaved={changed.length === 0} />
        <Switch
          label="Auto-create users"
          description="Create an account at first sign-in. When off, only invited users can sign in."
          {...toggle('autoCreate')}
        />
        {values.autoCreate && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              label="Default root role"
              allowDeselect={false}
              disabled={disabled}
              value={String(values.defaultRootRoleId)}
              onChange={(value) => set('defaultRootRoleId', Number(value))}
              data={roles
                .filter(({ type }) => type === 'root' || type === 'root-custom')
                .map(({ id, name }) => ({ value: String(id), label: name }))}
            />
            <TextInput
              label="Allowed email domains"
              description="Comma-separated. Leave empty to allow all."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              placeholder="example.com"
              {...text('emailDomains')}
            />
          </SimpleGrid>
        )}
        <Switch
          label="Sync groups"
          description="Update group membership from SSO groups at each sign-in."
          {...toggle('enableGroupSyncing')}
        />
        {values.enableGroupSyncing && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput label="Groups claim" placeholder="groups" {...text('groupJsonPath')} />
            <Switch mt={30} label="Request the “groups” scope" {...toggle('addGroupsScope')} />
          </SimpleGrid>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="ID token signing algorithm"
            clearable
            placeholder="Any the provider supports"
            disabled={disabled}
            value={values.idTokenSigningAlgorithm}
            onChange={(value) =>
              set('idTokenSigningAlgorithm', value as OidcForm['idTokenSigningAlgorithm'])
            }
            data={[...algorithms]}
          />
          <TextInput label="ACR values" placeholder="None" {...text('acrValues')} />
        </SimpleGrid>
        <Switch
          label="PKCE"
          description="Protects the authorization code from interception. Supported by nearly every provider."
          {...toggle('enablePkce')}
        />
        {draft.error && (
          <Alert color="red" role="alert">
            {draft.error.message}
          </Alert>
        )}
      </Section>
      <SaveBar
        changes={oidcChanges(formOf(settings), values, changed, roleName)}
        isSaving={draft.isPending}
        onSave={draft.save}
        onDiscard={draft.discard}
      />
    </>
  );
}

interface TestProps {
  readonly form: OidcForm;
  readonly refusal: string | undefined;
  readonly isSaved: boolean;
}

const results = {
  passed: { color: 'teal', icon: IconCheck, word: 'Passed: ' },
  doubtful: { color: 'yellow', icon: IconAlertTriangle, word: 'Warning: ' },
  failed: { color: 'red', icon: IconX, word: 'Failed: ' },
} as const;

/** Checks the provider before it is saved. */
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
          Test connection
        </GuardedButton>
        {isSaved && form.enabled && (
          <Button
            variant="subtle"
            component="a"
            href={new URL('auth/oidc/login', document.baseURI).pathname}
            target="_blank"
            rel="noreferrer"
          >
            Try signing in (new tab)
          </Button>
        )}
      </Group>
      {test.isError && (
        <Alert color="red" role="alert">
          {fieldFault(test.error, 'discoverUrl') ?? test.error.message}
        </Alert>
      )}
      {test.data && isCurrent && (
        <List spacing={6} size="sm" center role="status" aria-label="Test results">
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
