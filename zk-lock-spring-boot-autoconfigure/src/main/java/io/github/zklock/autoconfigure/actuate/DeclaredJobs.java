package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockName;
import io.github.zklock.annotation.RunOncePer;
import io.github.zklock.aop.method.AnnotatedMethods;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The jobs of the methods of this application that are annotated with {@link RunOncePer}. */
final class DeclaredJobs {

    private static final Logger LOG = LoggerFactory.getLogger(DeclaredJobs.class);

    private DeclaredJobs() {}

    /** Returns the jobs by name. A job is left out if its name depends on a call. */
    static List<LocksReport.Job> of(ConfigurableListableBeanFactory beans) {
        AnnotatedMethods<RunOncePer> methods = new AnnotatedMethods<>(RunOncePer.class);
        return Stream.of(beans.getBeanDefinitionNames())
                .flatMap(bean -> of(bean, beans, methods))
                .distinct()
                .sorted(Comparator.comparing(LocksReport.Job::name))
                .toList();
    }

    private static Stream<LocksReport.Job> of(
            String bean, ConfigurableListableBeanFactory beans, AnnotatedMethods<RunOncePer> methods) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
            if (type == null || type.getName().startsWith("org.springframework.")) {
                return Stream.empty();
            }
            return methods.in(type).stream()
                    .flatMap(method -> methods.of(method, type).annotations().stream())
                    .filter(job -> !job.name().contains("#{"))
                    .map(job -> new LocksReport.Job(
                            LockName.of(resolved(job.name(), beans)).value(), resolved(job.window(), beans)))
                    .toList()
                    .stream();
        } catch (RuntimeException | LinkageError unknownType) {
            LOG.debug("The jobs of bean '{}' are not known", bean, unknownType);
            return Stream.empty();
        }
    }

    private static String resolved(String text, ConfigurableListableBeanFactory beans) {
        return Objects.requireNonNullElse(beans.resolveEmbeddedValue(text), text);
    }
}
