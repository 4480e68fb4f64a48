// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import io.queuepair.emulator.device.HcaDriver;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.hca.ObjectLifecycle;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/** The core is deterministic, reads no clock and leaves bytes to the packages made for them. */
@AnalyzeClasses(locations = MainClasses.class)
final class CoreRulesTest {
  private static final String CORE = "io.queuepair.emulator";

  @ArchTest
  static final ArchRule coreReadsNoClock =
      passiveCore()
          .should()
          .accessTargetWhere(
              memberOf(System.class, "nanoTime|currentTimeMillis")
                  .or(describe("java.time now()", CoreRulesTest::isJavaTimeNow)))
          .because("time arrives as nowNanos, so that a run can be replayed");

  @ArchTest
  static final ArchRule coreMakesNoThread =
      passiveCore()
          .should()
          .dependOnClassesThat()
          .areAssignableTo(Thread.class)
          .orShould()
          .dependOnClassesThat(belongToAnyOf(Executors.class))
          .because("the caller of the core decides on which thread it runs");

  @ArchTest
  static final ArchRule adapterTakesNoLock =
      noClasses()
          .that()
          .resideInAnyPackage(CORE + ".hca", CORE + ".engine", CORE + ".cm")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.util.concurrent.locks")
          .because("the driver has the lock: below it everything is passive");

  @ArchTest
  static final ArchRule adapterReadsNoClock =
      noClasses()
          .that()
          .resideInAnyPackage(CORE + ".hca", CORE + ".engine", CORE + ".cm")
          .should()
          .dependOnClassesThat(belongToAnyOf(Scheduler.class))
          .because("each step of the driver carries its time");

  @ArchTest
  static final ArchRule coreUsesSeededRandomness =
      passiveCore()
          .should()
          .accessTargetWhere(describe("new Random()", CoreRulesTest::isUnseededRandom))
          .orShould()
          .accessTargetWhere(memberOf(Math.class, "random"))
          .orShould()
          .dependOnClassesThat(belongToAnyOf(ThreadLocalRandom.class))
          .because("the same seed gives the same trace, byte for byte");

  @ArchTest
  static final ArchRule orderIsPartOfTheOutput =
      noClasses()
          .that()
          .resideInAnyPackage(
              CORE + ".engine",
              CORE + ".hca",
              CORE + ".cm",
              CORE + ".device",
              CORE + ".rdmacm",
              CORE + ".fabric",
              CORE + ".faults",
              CORE + ".threads")
          .should()
          .dependOnClassesThat(belongToAnyOf(HashMap.class, HashSet.class))
          .because("their iteration order is not: use the linked or sorted ones, or an array");

  @ArchTest
  static final ArchRule bytesHaveTheirPackages =
      noClasses()
          .that()
          .resideInAPackage(CORE + "..")
          .and()
          .resideOutsideOfPackages(
              CORE + ".wire",
              CORE + ".memory",
              CORE + ".fabric",
              CORE + ".faults",
              CORE + ".observe")
          .should()
          .accessTargetWhere(memberOf(ByteBuffer.class, "(get|put).*"))
          .because("one reader and one writer per format, adjacent");

  @ArchTest
  static final ArchRule theLockOfADeviceStarvesNoThread =
      noClasses()
          .that()
          .areAssignableTo(HcaDriver.class)
          .should()
          .callConstructor(ReentrantLock.class)
          .because("a thread that takes it repeatedly would: see EventuallyFairLock");

  /** Verbs on an object look whether it was destroyed before they take the lock. */
  @ArchTest
  static final ArchRule theEndOfAnObjectIsSeenByAllThreads =
      fields()
          .that()
          .haveName("ended")
          .and()
          .areDeclaredIn(ObjectLifecycle.class)
          .should()
          .haveModifier(JavaModifier.VOLATILE)
          .allowEmptyShould(false);

  @ArchTest
  static final ArchRule whatAProgramHoldsHasAName =
      classes()
          .that(describe("what a program gets of the API", CoreRulesTest::isHeldByPrograms))
          .should(ArchCondition.from(describe("have toString", CoreRulesTest::saysWhatItIs)))
          .because("it stands in logs, debuggers and failures of tests")
          .allowEmptyShould(false);

  @ArchTest
  static final ArchRule exceptionsAreSpecific =
      NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS.because(
          "a caller must be able to tell one failure from another");

  private CoreRulesTest() {}

  private static GivenClassesConjunction passiveCore() {
    return noClasses()
        .that()
        .resideInAPackage(CORE + "..")
        .and()
        .resideOutsideOfPackages(
            CORE + ".fabric", CORE + ".observe", CORE + ".device", CORE + ".threads");
  }

  private static boolean isHeldByPrograms(JavaClass type) {
    return type.getPackageName().startsWith(CORE)
        && !type.isInterface()
        && !type.getModifiers().contains(JavaModifier.ABSTRACT)
        && type.isAssignableTo(AutoCloseable.class)
        && type.getAllRawInterfaces().stream()
            .anyMatch(one -> one.getPackageName().matches("io.queuepair.(verbs|rdmacm|umad)"));
  }

  private static boolean saysWhatItIs(JavaClass type) {
    return type.getAllMethods().stream()
        .anyMatch(
            method ->
                method.getName().equals("toString")
                    && method.getRawParameterTypes().isEmpty()
                    && !method.getOwner().isEquivalentTo(Object.class));
  }

  private static boolean isJavaTimeNow(JavaAccess<?> access) {
    return access.getTarget().getOwner().getPackageName().equals("java.time")
        && access.getName().equals("now");
  }

  private static boolean isUnseededRandom(JavaAccess<?> access) {
    return access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget target
        && target.getOwner().isEquivalentTo(Random.class)
        && target.getName().equals("<init>")
        && target.getRawParameterTypes().isEmpty();
  }

  /** A call of, or a method reference to, a member of that class whose name matches. */
  private static DescribedPredicate<JavaAccess<?>> memberOf(Class<?> owner, String name) {
    return describe(
        owner.getSimpleName() + "." + name,
        access ->
            access.getTarget().getOwner().isAssignableTo(owner) && access.getName().matches(name));
  }
}
