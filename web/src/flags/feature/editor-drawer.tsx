import { Alert, Badge, Box, Drawer, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { ConnectionState } from '../../shell/connection-state.tsx';
import classes from '../flags.module.css';
import { variantProblems } from '../strategy/strategy-check.ts';
import {
  EditorActions,
  StrategyEditor,
  StrategyPreview,
  stickinessChoices,
} from '../strategy/strategy-editor.tsx';
import type { Environment } from '../strategy/strategy-sentence.ts';
import { VariantsEditor } from '../strategy/variants-editor.tsx';
import { Conflicts } from './conflicts.tsx';
import {
  changeStrategy,
  changeVariants,
  removeStrategy,
  restoreStrategy,
  type ShownStrategy,
  shownStrategies,
} from './draft.ts';
import { useFeatureRefusal, useFeatureRefusals } from './feature-refusal.ts';
import { conflictsOf } from './merge.ts';
import { TryIt } from './try-it.tsx';
import { route, useFeatureView } from './view.ts';

const words = { same: undefined, changed: 'Edited', added: 'New', removed: 'Removed' };

const permissionFor = ({ state }: ShownStrategy) =>
  state === 'added' ? 'CREATE_FEATURE_STRATEGY' : 'UPDATE_FEATURE_STRATEGY';

function OpenStrategy({
  environment,
  shown,
  onClose,
}: {
  readonly environment: Environment;
  readonly shown: ShownStrategy;
  readonly onClose: () => void;
}) {
  const { project, catalogue, change } = useFeatureView();
  const { name } = environment;
  const refusal = useFeatureRefusal(permissionFor(shown), name);
  return (
    <div className={classes.editor}>
      <Stack gap="lg">
        {refusal !== undefined && <Alert color="gray">{refusal}</Alert>}
        <StrategyEditor
          project={project}
          content={shown.content}
          saved={shown.saved}
          catalogue={catalogue}
          disabled={refusal !== undefined}
          onChange={(content) => change((draft) => changeStrategy(draft, name, shown, content))}
        />
        <div className={classes.editorActions}>
          <EditorActions
            state={shown.state}
            disabled={refusal !== undefined}
            onDone={onClose}
            onReset={() => {
              change((draft) => restoreStrategy(draft, name, shown.key));
              if (shown.state === 'added') onClose();
            }}
            onRemove={() => {
              change((draft) => removeStrategy(draft, name, shown));
              onClose();
            }}
          />
        </div>
      </Stack>
      <div className={classes.beside}>
        <section className="card" aria-label="Summary">
          {/* With many constraints, the test below stays visible. */}
          <ScrollArea.Autosize
            mah="40vh"
            {...(shown.content.constraints.length > 5 && { viewportProps: { tabIndex: 0 } })}
          >
            <Stack p="md" gap="xs">
              <StrategyPreview content={shown.content} catalogue={catalogue} />
            </Stack>
          </ScrollArea.Autosize>
        </section>
        <div className="card">
          <TryIt environments={[environment]} label={`Test in ${name}`} />
        </div>
      </div>
    </div>
  );
}

function OpenVariants({ environment }: { readonly environment: Environment }) {
  const { catalogue, draft, change } = useFeatureView();
  const { name } = environment;
  const refusal = useFeatureRefusal('UPDATE_FEATURE_ENVIRONMENT_VARIANTS', name);
  const variants = draft.environments[name]?.variants?.after ?? environment.variants;
  return (
    <Stack>
      <Text size="sm" className="quiet">
        Used when the matching strategy has no variants of its own.
      </Text>
      {refusal !== undefined && <Alert color="gray">{refusal}</Alert>}
      <VariantsEditor
        variants={variants}
        fields={catalogue.fields}
        problems={variantProblems(variants)}
        stickinessChoices={stickinessChoices(catalogue)}
        disabled={refusal !== undefined}
        make={(variant, stickiness) => ({
          name: variant,
          stickiness,
          weight: 0,
          weightType: 'variable' as const,
          overrides: [],
        })}
        onChange={(next) =>
          change((before) => changeVariants(before, name, environment.variants, next))
        }
      />
    </Stack>
  );
}

/** The editor over the page, with what is hidden behind it: conflicts and a lost connection. */
export function EditorDrawer() {
  const { feature, draft } = useFeatureView();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const close = () =>
    void navigate({
      search: ({ strategy: _, variants: __, ...rest }) => rest,
    });
  const slash = search.strategy?.indexOf('/') ?? -1;
  const environmentName =
    search.strategy === undefined ? search.variants : search.strategy.slice(0, slash);
  const key = search.strategy?.slice(slash + 1);
  const environment = feature.environments.find(({ name }) => name === environmentName);
  const shown =
    environment &&
    shownStrategies(environment.strategies, draft.environments[environment.name]).find(
      (each) => each.key === key,
    );
  const hasVariants = environment !== undefined && search.strategy === undefined;
  const isOpen = shown !== undefined || hasVariants;
  const state = shown && words[shown.state];
  const refusalOf = useFeatureRefusals();
  const isReadOnly =
    shown !== undefined && refusalOf(permissionFor(shown), environmentName) !== undefined;
  const conflicts = conflictsOf(draft, feature);
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      position="right"
      size={hasVariants ? 560 : 'min(1080px, 100vw)'}
      transitionProps={{ duration: 120 }}
      closeButtonProps={{ 'aria-label': 'Close editor' }}
      title={
        environment && (
          <Group gap="xs">
            <Text fw={600}>
              {hasVariants
                ? 'Environment variants'
                : isReadOnly
                  ? 'View strategy'
                  : 'Edit strategy'}{' '}
              · {environment.name}
            </Text>
            {state && (
              <Badge tt="none" variant="light" color="yellow">
                {state}
              </Badge>
            )}
            <ConnectionState />
          </Group>
        )
      }
    >
      {conflicts.length > 0 && (
        <Box mb="md">
          <Conflicts conflicts={conflicts} />
        </Box>
      )}
      {environment && shown && (
        <OpenStrategy environment={environment} shown={shown} onClose={close} />
      )}
      {hasVariants && <OpenVariants environment={environment} />}
    </Drawer>
  );
}
