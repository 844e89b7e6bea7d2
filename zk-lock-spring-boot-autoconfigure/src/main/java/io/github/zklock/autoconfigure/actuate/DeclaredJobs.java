package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockName;
import io.github.zklock.annotation.RunOncePer;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** The jobs of the methods of this application that are annotated with {@link RunOncePer}. */
final class DeclaredJobs {

    private static final Logger LOG = LoggerFactory.getLogger(DeclaredJobs.class);

    private DeclaredJobs() {}

    /** Returns the jobs by name. A job is left out if its name depends on a call. */
    static List<LocksReport.Job> of(ConfigurableListableBeanFactory beans) {
        return Stream.of(beans.getBeanDefinitionNames())
                .flatMap(bean -> of(bean, beans))
                .distinct()
                .sorted(Comparator.comparing(LocksReport.Job::name))
                .toList();
    }

    private static Stream<LocksReport.Job> of(String bean, ConfigurableListableBeanFactory beans) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
            if (type == null || type.getName().startsWith("org.springframework.")) {
                return Stream.empty();
            }
            MetadataLookup<RunOncePer> annotation =
                    method -> AnnotatedElementUtils.findMergedAnnotation(method, RunOncePer.class);
            return MethodIntrospector.selectMethods(type, annotation).values().stream()
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
