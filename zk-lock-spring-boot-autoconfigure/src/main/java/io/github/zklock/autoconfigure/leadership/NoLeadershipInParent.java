package io.github.zklock.autoconfigure.leadership;

import io.github.zklock.Leadership;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches unless a parent context has a leadership. */
final class NoLeadershipInParent extends SpringBootCondition implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("No leadership in a parent context");
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        BeanFactory parent = beans == null ? null : beans.getParentBeanFactory();
        String[] inherited = parent instanceof ListableBeanFactory listable
                ? BeanFactoryUtils.beanNamesForTypeIncludingAncestors(listable, Leadership.class)
                : new String[0];
        return inherited.length == 0
                ? ConditionOutcome.match(message.because("there is none"))
                : ConditionOutcome.noMatch(message.foundExactly((Object[]) inherited));
    }
}
