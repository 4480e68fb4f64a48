// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.threads.Schedule;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Settings by the annotations of a test: of its method, its class and the classes around it. The
 * nearest one counts, except that fault plans and disabled checks add up. A further option of tests
 * gets its annotation and its component here, and {@link TestNetwork} carries it out.
 *
 * @param kind kind of the network
 * @param seed seed of random choices
 * @param faults statements of fault plans, those of the class first
 * @param profile profile of devices, unless a parameter has its own
 * @param checks checks when a test has passed
 * @param schedule order of the threads
 * @param isStrict whether a thread that is blocked outside of the emulator fails the test
 */
record TestSettings(
    NetworkKind kind,
    long seed,
    List<String> faults,
    DeviceProfile profile,
    Set<Check> checks,
    Schedule schedule,
    boolean isStrict) {
  static final String SEED_PARAMETER = "queuepair.seed";
  static final String SCHEDULE_PARAMETER = "queuepair.schedule";
  static final String REDUCTION_PARAMETER = "queuepair.reduction";

  /** Reads the annotations of a test, or of a class for a network that its tests share. */
  static TestSettings of(ExtensionContext context) {
    List<AnnotatedElement> nearestFirst = elements(context);
    Set<Check> checks = EnumSet.allOf(Check.class);
    all(nearestFirst, DisabledChecks.class)
        .forEach(disabled -> checks.removeAll(Set.of(disabled.value())));
    List<String> faults = new ArrayList<>();
    all(nearestFirst, Faults.class).forEach(each -> faults.addAll(0, List.of(each.value())));
    NetworkKind kind = kind(nearestFirst);
    long seed = seed(context, nearestFirst);
    Optional<ThreadSchedule> threads = nearest(nearestFirst, ThreadSchedule.class);
    return new TestSettings(
        kind,
        seed,
        List.copyOf(faults),
        nearest(nearestFirst, Profile.class)
            .map(TestSettings::profile)
            .orElse(DeviceProfile.standard()),
        checks,
        kind == NetworkKind.VIRTUAL
            ? schedule(context, threads, seed)
            : withoutSchedule(context, kind, threads),
        threads.map(ThreadSchedule::strict).orElse(false));
  }

  /** The fault statements of a method, without those of its class. */
  static List<String> faultsOfMethod(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getElement(), Faults.class)
        .map(faults -> List.of(faults.value()))
        .orElse(List.of());
  }

  static long timeoutSeconds(ExtensionContext context) {
    long seconds =
        context
            .getConfigurationParameter("queuepair.timeout", Long::valueOf)
            .orElseGet(
                () ->
                    nearest(elements(context), QueuepairTest.class)
                        .map(QueuepairTest::timeoutSeconds)
                        .orElse(0L));
    if (seconds < 0) {
      throw new ExtensionConfigurationException(
          "queuepair.timeout, or timeoutSeconds of @QueuepairTest, is "
              + seconds
              + " s: it is 0 for"
              + " no limit, or more");
    }
    return seconds;
  }

  static DeviceProfile profile(Profile profile) {
    if (profile.factory().length > 0) {
      DeviceProfile made = ReflectionSupport.newInstance(profile.factory()[0]).get();
      if (made == null) {
        throw new ExtensionConfigurationException(
            profile.factory()[0].getName() + " made no profile");
      }
      return made;
    }
    return switch (profile.value()) {
      case "standard" -> DeviceProfile.standard();
      case "soft-roce" -> DeviceProfile.softRoce();
      default ->
          throw new ExtensionConfigurationException(
              "@Profile(\"" + profile.value() + "\") is none of \"standard\" and \"soft-roce\"");
    };
  }

  private static NetworkKind kind(List<AnnotatedElement> nearestFirst) {
    for (AnnotatedElement element : nearestFirst) {
      List<NetworkKind> named = new ArrayList<>();
      for (NetworkKind kind : NetworkKind.values()) {
        if (AnnotationSupport.isAnnotated(element, kind.annotation())) {
          named.add(kind);
        }
      }
      if (named.size() > 1) {
        throw new ExtensionConfigurationException(
            named.stream()
                .map(kind -> "@" + kind.annotation().getSimpleName())
                .collect(Collectors.joining(" and ", name(element) + " has ", ""))
                .concat(", and a test has one network"));
      }
      if (!named.isEmpty()) {
        return named.get(0);
      }
    }
    return NetworkKind.VIRTUAL;
  }

  /** {@code Class} or {@code Class.method}. */
  private static String name(AnnotatedElement element) {
    return element instanceof Method method
        ? method.getDeclaringClass().getSimpleName() + "." + method.getName()
        : ((Class<?>) element).getSimpleName();
  }

  private static Schedule schedule(
      ExtensionContext context, Optional<ThreadSchedule> annotation, long seed) {
    Optional<Schedule> chosen = SeedInvocations.current(context).flatMap(SeedSearch.Run::schedule);
    if (chosen.isPresent()) {
      return chosen.get();
    }
    String text =
        context
            .getConfigurationParameter(SCHEDULE_PARAMETER)
            .or(() -> annotation.map(ThreadSchedule::value))
            .orElse("fifo");
    try {
      return text.equals("random") ? Schedule.random(seed) : Schedule.parse(text);
    } catch (IllegalArgumentException none) {
      throw new ExtensionConfigurationException(
          "@ThreadSchedule or " + SCHEDULE_PARAMETER + ": " + none.getMessage(), none);
    }
  }

  private static Schedule withoutSchedule(
      ExtensionContext context, NetworkKind kind, Optional<ThreadSchedule> annotation) {
    if (annotation.isPresent()
        && (annotation.get().strict() || !annotation.get().value().equals("fifo"))) {
      throw new ExtensionConfigurationException(
          context.getDisplayName()
              + " is to have a @ThreadSchedule, but its network ("
              + kind
              + ") lets threads run as the system does: that needs @Virtual");
    }
    return Schedule.fifo();
  }

  private static long seed(ExtensionContext context, List<AnnotatedElement> nearestFirst) {
    return SeedInvocations.only(context)
        .or(() -> SeedInvocations.current(context).map(SeedSearch.Run::seed))
        .or(() -> nearest(nearestFirst, Seed.class).map(Seed::value))
        .orElseGet(() -> ownSeed(context));
  }

  /**
   * Seed that is equal in each run, whichever launcher runs the test: engines and suites, which
   * differ, come before the class in the ID.
   */
  private static long ownSeed(ExtensionContext context) {
    String id = context.getUniqueId();
    return id.substring(Math.max(0, id.indexOf("[class:"))).hashCode() & Integer.MAX_VALUE;
  }

  private static List<AnnotatedElement> elements(ExtensionContext context) {
    List<AnnotatedElement> elements = new ArrayList<>();
    context.getTestMethod().ifPresent(elements::add);
    Class<?> type = context.getTestClass().orElse(null);
    while (type != null) {
      elements.add(type);
      type = type.getEnclosingClass();
    }
    return Collections.unmodifiableList(elements);
  }

  private static <A extends Annotation> Optional<A> nearest(
      List<AnnotatedElement> nearestFirst, Class<A> type) {
    return all(nearestFirst, type).stream().findFirst();
  }

  private static <A extends Annotation> List<A> all(
      List<AnnotatedElement> nearestFirst, Class<A> type) {
    return nearestFirst.stream()
        .flatMap(element -> AnnotationSupport.findAnnotation(element, type).stream())
        .toList();
  }
}
