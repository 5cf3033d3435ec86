import { Button, Code, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { instanceUrl } from '../../access/tokens/instance-url.ts';
import { snippetsFor } from '../../access/tokens/snippets/snippets.ts';
import type { ApiToken } from '../../access/tokens/token-table.tsx';
import { NewFeatureButton } from '../../flags/create/new-feature.tsx';
import { useRefusal } from '../../me.ts';
import { Snippets } from '../../ui/copyable.tsx';
import { GuardedButton } from '../../ui/guarded.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import classes from './home.module.css';
import { nextStep, type Steps, stepTitles } from './steps.ts';

const CreateApiToken = lazyPart(
  () => import('../../access/tokens/create-api-token.tsx'),
  'CreateApiToken',
);
const Connect = lazyPart(() => import('../../access/tokens/connect.tsx'), 'Connect');

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly isNext: boolean;
  readonly children: ReactNode;
}

const Step = ({ number, title, isDone, isNext, children }: StepProps) => (
  <li className={classes.step} data-next={isNext || undefined}>
    <ThemeIcon
      radius="xl"
      variant={isDone ? 'filled' : 'default'}
      aria-label={isDone ? 'Done' : 'To do'}
      role="img"
    >
      {isDone ? <IconCheck size={16} aria-hidden /> : <span aria-hidden>{number}</span>}
    </ThemeIcon>
    <Stack gap="xs" miw={0}>
      <Title order={3} size="h5">
        {title}
      </Title>
      {!isDone && children}
    </Stack>
  </li>
);

/** Opens the form for a token of the project. */
function CreateTokenButton({ project, onClick }: CreateTokenProps) {
  const refusal = useRefusal('CREATE_PROJECT_API_TOKEN', { project });
  return (
    <Group>
      <GuardedButton refusal={refusal} size="sm" onClick={onClick}>
        Create token
      </GuardedButton>
    </Group>
  );
}

interface CreateTokenProps {
  readonly project: string;
  readonly onClick: () => void;
}

/** The steps from an empty installation to an application that evaluates a feature. */
export function FirstSteps({ steps }: { readonly steps: Steps }) {
  const { feature } = steps;
  const project = feature?.project ?? 'default';
  const [token, setToken] = useState<ApiToken>();
  const [opened, setOpened] = useState<'create' | 'connect'>();
  const close = () => setOpened(undefined);
  const next = nextStep(steps);
  const snippets = snippetsFor(token?.type === 'frontend' ? 'frontend' : 'client', {
    url: instanceUrl(),
    secret: token?.secret ?? '<your API token>',
    feature: feature?.name ?? 'new-checkout',
  });
  return (
    <>
      <ol className={`card ${classes.steps}`}>
        <Step
          number={1}
          title={stepTitles.hasFeature}
          isDone={steps.hasFeature}
          isNext={next === 'hasFeature'}
        >
          <Text size="sm">
            A feature is a switch your code checks by name, such as <Code>new-checkout</Code>.
          </Text>
          <Group>
            <NewFeatureButton />
          </Group>
        </Step>
        <Step
          number={2}
          title={stepTitles.isSwitchedOn}
          isDone={steps.isSwitchedOn}
          isNext={next === 'isSwitchedOn'}
        >
          <Text size="sm">Every environment has its own switch. Start with development.</Text>
          {feature && (
            <Group>
              <Button
                component={Link}
                to={`/projects/${encodeURIComponent(feature.project)}/features/${encodeURIComponent(feature.name)}`}
                size="sm"
                variant="default"
              >
                Open {feature.name}
              </Button>
            </Group>
          )}
        </Step>
        <Step
          number={3}
          title={stepTitles.hasToken}
          isDone={steps.hasToken}
          isNext={next === 'hasToken'}
        >
          <Text size="sm">
            Server-side apps use a backend token, browsers and mobile apps a frontend token.
          </Text>
          <CreateTokenButton project={project} onClick={() => setOpened('create')} />
        </Step>
        <Step
          number={4}
          title={stepTitles.wasAsked}
          isDone={steps.wasAsked}
          isNext={next === 'wasAsked'}
        >
          <Text size="sm">
            Use any Unleash SDK. This step completes when your application connects.
          </Text>
          <Snippets snippets={snippets} />
        </Step>
      </ol>
      {/* Not inside its step: that is done, and without its content, as soon as the event of the token arrives. */}
      <Suspense>
        {opened === 'create' && (
          <CreateApiToken
            projectId={project}
            onClose={close}
            onCreated={(created) => {
              setToken(created);
              setOpened('connect');
            }}
          />
        )}
        {token && opened === 'connect' && <Connect token={token} onClose={close} />}
      </Suspense>
    </>
  );
}
