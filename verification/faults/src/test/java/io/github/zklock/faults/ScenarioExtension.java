package io.github.zklock.faults;

import java.lang.reflect.Method;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Gives each scenario the ensemble, which all of them share, judges it, and ends what it began. */
final class ScenarioExtension implements ParameterResolver, InvocationInterceptor {

    private static final Namespace NAMESPACE = Namespace.create(ScenarioExtension.class);
    private static final Path FOLDER = Path.of("target", "faults").toAbsolutePath();

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Scenario.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Store shared = context.getRoot().getStore(NAMESPACE);
        Ensemble ensemble =
                shared.computeIfAbsent(Ensemble.class, key -> new Ensemble(FOLDER.resolve("ensemble")), Ensemble.class);
        Method method = context.getRequiredTestMethod();
        Scenario scenario = new Scenario(method.getAnnotation(FaultScenario.class), method.getName(), FOLDER, ensemble);
        context.getStore(NAMESPACE).put(Scenario.class, scenario);
        return scenario;
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        try (Scenario scenario = context.getStore(NAMESPACE).get(Scenario.class, Scenario.class)) {
            try {
                invocation.proceed();
                scenario.judge();
            } catch (Throwable failure) {
                throw scenario.failed(failure);
            }
        }
    }
}
