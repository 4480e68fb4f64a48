// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Provides the invocations of a test with {@link Seeds}, as {@link SeedSearch} chooses them. */
public final class SeedInvocations implements TestTemplateInvocationContextProvider {
  private static final String COUNT_PARAMETER = "queuepair.seeds";
  private static final String TWICE_PARAMETER = "queuepair.twice";
  private static final int REDUCTIONS = 500;
  private static final int MAX_REDUCTIONS = 1_000_000;

  /** Called by JUnit. */
  public SeedInvocations() {}

  /** The run of a test with {@link Seeds} that is under way; empty for other tests. */
  static Optional<SeedSearch.Run> current(ExtensionContext context) {
    return Optional.ofNullable(
        context
            .getStore(QueuepairExtension.NAMESPACE)
            .get(SeedSearch.Run.class, SeedSearch.Run.class));
  }

  /** Seed set for all tests of this run; empty if none is set. */
  static Optional<Long> only(ExtensionContext context) {
    return context.getConfigurationParameter(TestSettings.SEED_PARAMETER, Long::valueOf);
  }

  /** Number of seeds set for each test of this run; empty if none is set. */
  private static Optional<Long> count(ExtensionContext context) {
    Optional<Long> count = context.getConfigurationParameter(COUNT_PARAMETER, Long::valueOf);
    count
        .filter(none -> none < 1)
        .ifPresent(
            none -> {
              throw new ExtensionConfigurationException(
                  COUNT_PARAMETER + " is " + none + ", and should be 1 or more");
            });
    return count;
  }

  /** Most runs that leave out thread switches of a schedule that fails. */
  private static int maxReductions(ExtensionContext context) {
    int runs =
        context
            .getConfigurationParameter(TestSettings.REDUCTION_PARAMETER, Integer::valueOf)
            .orElse(REDUCTIONS);
    if (runs < 0 || runs > MAX_REDUCTIONS) {
      throw new ExtensionConfigurationException(
          "%s is %d, and should be 0 to %d runs"
              .formatted(TestSettings.REDUCTION_PARAMETER, runs, MAX_REDUCTIONS));
    }
    return runs;
  }

  private static boolean trueOrFalse(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(text + " is neither true nor false");
    };
  }

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getTestMethod(), Seeds.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    Seeds seeds =
        AnnotationSupport.findAnnotation(context.getTestMethod(), Seeds.class).orElseThrow();
    if (seeds.from() > seeds.to()) {
      throw new ExtensionConfigurationException(
          "@Seeds from " + seeds.from() + " to " + seeds.to() + " are none");
    }
    long count = count(context).orElse(seeds.to() - seeds.from() + 1);
    int reductions = maxReductions(context);
    boolean isTwice =
        context
            .getConfigurationParameter(TWICE_PARAMETER, SeedInvocations::trueOrFalse)
            .orElse(seeds.twice());
    long first = only(context).orElse(seeds.from());
    long last = only(context).orElse(seeds.from() + count - 1);
    SeedSearch search = new SeedSearch(first, last, reductions, isTwice);
    return Stream.iterate(search.next(), Objects::nonNull, before -> search.next());
  }
}
