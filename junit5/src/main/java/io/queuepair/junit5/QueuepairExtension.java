// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/** Extension behind {@link QueuepairTest}. */
public final class QueuepairExtension
    implements ParameterResolver,
        BeforeEachCallback,
        AfterEachCallback,
        AfterAllCallback,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler,
        InvocationInterceptor {
  static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(QueuepairExtension.class);

  private static final Set<Class<?>> TYPES =
      Set.of(
          Emulator.class,
          Device.class,
          EmulatedDevice.class,
          Context.class,
          RdmaCm.class,
          QpPair.class,
          NetworkFaults.class);

  /** Types of parameters that stand for a host. */
  private static final Set<Class<?>> OF_HOST =
      Set.of(Device.class, EmulatedDevice.class, Context.class, RdmaCm.class);

  /** Called by JUnit. */
  public QueuepairExtension() {}

  /** Gives constructors the network of the test that the object is made for. */
  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return TYPES.contains(type) || (type == long.class && parameter.isAnnotated(Seed.class));
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    if (type == long.class) {
      return NetworkScope.settings(context).seed();
    }
    TestNetwork network = NetworkScope.of(context).network();
    DeviceProfile profile =
        parameter.findAnnotation(Profile.class).map(TestSettings::profile).orElse(null);
    if (type == Emulator.class) {
      return network.emulator();
    }
    if (type == NetworkFaults.class) {
      return new NetworkFaults(network);
    }
    if (type == QpPair.class) {
      return network.pair(parameter.getParameter().getName(), profile);
    }
    String host = host(parameter, network.hosts());
    if (type == Context.class) {
      return network.context(host, profile);
    }
    EmulatedDevice device = network.device(host, profile);
    return type == RdmaCm.class ? network.emulator().rdmaCm(device) : device;
  }

  /** Name of the device of a parameter. */
  private static String host(ParameterContext parameter, Hosts hosts) {
    Optional<Host> named = parameter.findAnnotation(Host.class);
    if (named.isPresent()) {
      return Hosts.requireAddress(named.get().value());
    }
    if (parameter.getParameter().isNamePresent()) {
      return parameter.getParameter().getName();
    }
    List<Parameter> unnamed =
        Stream.of(parameter.getDeclaringExecutable().getParameters())
            .filter(each -> OF_HOST.contains(each.getType()))
            .filter(each -> !AnnotationSupport.isAnnotated(each, Host.class))
            .toList();
    return hosts.positional(unnamed.indexOf(parameter.getParameter()), unnamed.size());
  }

  /** Injects the fault plan of a method, even if the method has no parameters. */
  @Override
  public void beforeEach(ExtensionContext context) {
    List<String> faults = TestSettings.faultsOfMethod(context);
    if (!faults.isEmpty()) {
      NetworkScope scope = NetworkScope.of(context);
      if (!scope.isOf(context)) {
        scope.network().injectFaults(String.join("\n", faults));
      }
    }
  }

  @Override
  public <T> T interceptTestClassConstructor(
      Invocation<T> invocation,
      ReflectiveInvocationContext<Constructor<T>> constructor,
      ExtensionContext context)
      throws Throwable {
    return proceedAndReport(invocation, context);
  }

  @Override
  public void interceptBeforeAllMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    proceedInTime(invocation, context);
  }

  @Override
  public void interceptBeforeEachMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    proceedInTime(invocation, context);
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    proceedInTime(invocation, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    proceedInTime(invocation, context);
  }

  @Override
  public <T> T interceptTestFactoryMethod(
      Invocation<T> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    return proceedInTime(invocation, context);
  }

  @Override
  public void interceptDynamicTest(
      Invocation<Void> invocation, DynamicTestInvocationContext test, ExtensionContext context)
      throws Throwable {
    ExtensionContext factory = context;
    while (factory.getTestMethod().isEmpty()) {
      factory = factory.getParent().orElseThrow();
    }
    proceedAndReport(invocation, factory);
  }

  @Override
  public void interceptAfterEachMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    proceedInTime(invocation, context);
  }

  @Override
  public void interceptAfterAllMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    proceedInTime(invocation, context);
  }

  /** Runs a constructor or a dynamic test: JUnit calls no method of this class if it fails. */
  private static <T> T proceedAndReport(Invocation<T> invocation, ExtensionContext context)
      throws Throwable {
    try {
      return proceedInTime(invocation, context);
    } catch (Throwable failure) {
      Throwable seen = seen(context, failure);
      if (!(seen instanceof TestAbortedException)) {
        NetworkScope.find(context).ifPresent(scope -> scope.reportAtOnce(context, seen));
      }
      throw seen;
    }
  }

  private static <T> T proceedInTime(Invocation<T> invocation, ExtensionContext context)
      throws Throwable {
    long seconds = TestSettings.timeoutSeconds(context);
    if (seconds == 0) {
      return invocation.proceed();
    }
    TestNetwork network = NetworkScope.find(context).map(NetworkScope::network).orElse(null);
    Watchdog.Watch watch = NetworkScope.watchdog(context).watch(network, seconds);
    T result = null;
    Throwable failure = null;
    try {
      result = invocation.proceed();
    } catch (Throwable thrown) {
      failure = thrown;
    }
    String expired = watch.end();
    if (expired != null) {
      Thread.interrupted(); // The interrupt was for the test only.
      throw new AssertionError(expired, failure);
    }
    if (failure != null) {
      throw failure;
    }
    return result;
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    NetworkScope.find(context).ifPresent(NetworkScope::noteFailure);
    throw seen(context, failure);
  }

  /** Failure that JUnit sees: skipped during reductions, or if a smaller seed fails. */
  private static Throwable seen(ExtensionContext context, Throwable failure) {
    Optional<SeedSearch.Run> run = SeedInvocations.current(context);
    boolean isFailure =
        (failure instanceof Exception || failure instanceof AssertionError)
            && !(failure instanceof TestAbortedException);
    if (!isFailure || run.isEmpty()) {
      return failure;
    }
    Optional<NetworkScope> own = NetworkScope.find(context).filter(it -> it.isOf(context));
    return run.get().fail(failure, own.map(NetworkScope::network));
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    handleTestExecutionException(context, failure);
  }

  @Override
  public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    handleTestExecutionException(context, failure);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Optional<NetworkScope> scope = NetworkScope.find(context);
    if (scope.isPresent()) {
      scope.get().afterTest(context, failure -> seen(context, failure));
    }
    Optional<SeedSearch.Run> run = SeedInvocations.current(context);
    if (run.isEmpty()) {
      return;
    }
    Optional<Throwable> failure = NetworkScope.failure(context);
    if (failure.isPresent() && scope.isEmpty()) {
      failure.get().addSuppressed(NetworkReport.of(NetworkScope.replay(context)));
    } else if (failure.isEmpty()) {
      Optional<AssertionError> missing =
          run.get().pass(scope.map(it -> it.network().emulator().threads()));
      if (missing.isPresent()) {
        throw missing.get();
      }
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Optional<NetworkScope> scope = NetworkScope.find(context);
    if (scope.isPresent()) {
      scope.get().afterTest(context, failure -> failure);
    }
  }
}
