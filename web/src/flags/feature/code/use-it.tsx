import { Alert, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { instanceUrl } from '../../../access/tokens/instance-url.ts';
import {
  secretHidden,
  secretPlaceholder,
  secretShownOnce,
  snippetsFor,
  visibleSecret,
} from '../../../access/tokens/snippets/snippets.ts';
import { type ApiToken, tokenTypeNames } from '../../../access/tokens/token-table.tsx';
import { useRefusal } from '../../../me.ts';
import { read } from '../../../queries.ts';
import { Copyable, Snippets } from '../../../ui/copyable.tsx';
import { GuardedButton } from '../../../ui/guarded.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { Section } from '../../../ui/section.tsx';
import { Since } from '../../../ui/time.tsx';
import { WithCode } from '../../../ui/with-code.tsx';
import { featureQuery } from '../feature-query.ts';
import { useFeatureView } from '../view.ts';
import { exampleOf } from './example.ts';

const CreateApiToken = lazyPart(
  () => import('../../../access/tokens/create-api-token.tsx'),
  'CreateApiToken',
);

type SdkType = 'client' | 'frontend';

/** No event tells of the first evaluation. */
const pollMs = 1_000;

const isUsable = ({ expiresAt }: ApiToken) =>
  expiresAt === null || Date.parse(expiresAt) > Date.now();

/** The tokens of the project for one type of SDK and one environment, with the one that was just created. */
function useTokens(type: SdkType, environment: string, created: ApiToken | undefined) {
  const { project } = useFeatureView();
  const refusal = useRefusal('READ_PROJECT_API_TOKEN', { project });
  const listed = useQuery({
    ...read('GET /api/admin/projects/:projectId/api-tokens', { params: { projectId: project } }),
    enabled: refusal === undefined,
  }).data?.tokens;
  const others = (listed ?? []).filter(({ id }) => id !== created?.id);
  const tokens = [...(created ? [created] : []), ...others].filter(
    (token) => token.type === type && token.environment === environment && isUsable(token),
  );
  const again = listed?.find(({ id }) => id === created?.id);
  return {
    tokens,
    refusal,
    /** Whether the secret of the token that was just created can't be read again. */
    isShownOnce: again !== undefined && visibleSecret(again.secret) === undefined,
  };
}

/** Whether an application evaluates it yet. */
function Evaluated({ environment }: { readonly environment: string }) {
  const { feature, project } = useFeatureView();
  const seenIn = (shown: typeof feature | undefined) =>
    shown?.environments.find(({ name }) => name === environment)?.lastSeenAt ?? undefined;
  const { data = feature } = useQuery({
    ...featureQuery({ projectId: project, featureName: feature.name }),
    refetchInterval: ({ state }) => (seenIn(state.data) === undefined ? pollMs : false),
  });
  const seenAt = seenIn(data);
  return (
    <Group gap={6} role="status" wrap="nowrap">
      {seenAt === undefined ? (
        <Text size="sm" className="quiet">
          Waiting for the first evaluation in {environment}. SDKs report about once a minute.
        </Text>
      ) : (
        <>
          <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" aria-hidden />
          <Text size="sm">
            Last evaluated in {environment} <Since instant={seenAt} />
          </Text>
        </>
      )}
    </Group>
  );
}

/** Code that evaluates the feature, for each SDK, with a token of the project. */
export function UseIt() {
  const { feature, project, catalogue } = useFeatureView();
  const { environments } = feature;
  const first = environments.find(({ type }) => type !== 'production') ?? environments[0];
  const [type, setType] = useState<SdkType>('client');
  const [environment, setEnvironment] = useState(first?.name ?? '');
  const [tokenId, setTokenId] = useState<string | null>(null);
  const [created, setCreated] = useState<ApiToken>();
  const [isCreating, setCreating] = useState(false);
  const { tokens, refusal, isShownOnce } = useTokens(type, environment, created);
  const createRefusal = useRefusal('CREATE_PROJECT_API_TOKEN', { project });
  const token = tokens.find(({ id }) => String(id) === tokenId);
  const secret = token && visibleSecret(token.secret);
  const snippets = snippetsFor(type, {
    ...exampleOf(
      feature.name,
      environments.find(({ name }) => name === environment),
      catalogue,
    ),
    url: instanceUrl(),
    secret: secret ?? secretPlaceholder,
  });
  return (
    <Section title="SDK setup">
      <Stack className="card" p="md">
        <Group align="flex-end" gap="sm">
          <SegmentedControl
            aria-label="SDK type"
            data={[
              { value: 'client', label: 'Backend' },
              { value: 'frontend', label: 'Frontend' },
            ]}
            value={type}
            onChange={(value) => setType(value === 'frontend' ? 'frontend' : 'client')}
          />
          <Select
            label="Environment"
            allowDeselect={false}
            w={170}
            data={environments.map(({ name }) => name)}
            value={environment}
            onChange={(name) => setEnvironment(name ?? '')}
          />
          {refusal === undefined && tokens.length > 0 && (
            <Select
              label="API token"
              placeholder="Select a token"
              clearable
              w={220}
              data={tokens.map(({ id, tokenName }) => ({ value: String(id), label: tokenName }))}
              value={token ? tokenId : null}
              onChange={setTokenId}
            />
          )}
          <GuardedButton
            variant="default"
            refusal={createRefusal}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setCreating(true)}
          >
            Create token
          </GuardedButton>
        </Group>
        {refusal !== undefined ? (
          <Text size="sm" className="quiet">
            Tokens of this project aren't listed. <WithCode text={refusal} />
          </Text>
        ) : (
          tokens.length === 0 && (
            <Text size="sm" className="quiet">
              No {tokenTypeNames[type].toLowerCase()} tokens for {environment} yet.
            </Text>
          )
        )}
        {token && token === created && isShownOnce && (
          <Alert color="yellow" role="status">
            {secretShownOnce}
          </Alert>
        )}
        {token &&
          (secret === undefined ? (
            <Text size="sm">{secretHidden}</Text>
          ) : (
            <Copyable text={secret} label="Copy secret" testId="secret" />
          ))}
        <Snippets snippets={snippets} />
        {environment !== '' && !feature.archived && <Evaluated environment={environment} />}
      </Stack>
      <Suspense>
        {isCreating && (
          <CreateApiToken
            projectId={project}
            initial={{ type, environment }}
            onClose={() => setCreating(false)}
            onCreated={(token) => {
              setCreating(false);
              setCreated(token);
              setTokenId(String(token.id));
              setEnvironment(token.environment);
              if (token.type !== 'admin') setType(token.type);
            }}
          />
        )}
      </Suspense>
    </Section>
  );
}
