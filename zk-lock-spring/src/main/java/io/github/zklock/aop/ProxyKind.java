package io.github.zklock.aop;

import java.lang.reflect.Proxy;
import java.util.stream.Stream;
import org.springframework.aop.framework.ProxyProcessorSupport;
import org.springframework.util.ClassUtils;

/** Which kind of proxy a class gets, by the rules of Spring's own proxy creators. */
final class ProxyKind extends ProxyProcessorSupport {

    private static final long serialVersionUID = 1L;

    private final boolean preferClasses;

    ProxyKind(boolean preferClasses) {
        this.preferClasses = preferClasses;
    }

    /** Whether the proxies of this class extend it, and do not see its final methods. */
    boolean areClassesFor(Class<?> type) {
        if (Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type)) {
            return false;
        }
        return preferClasses
                || Stream.of(ClassUtils.getAllInterfacesForClass(type))
                        .noneMatch(each -> !isConfigurationCallbackInterface(each)
                                && !isInternalLanguageInterface(each)
                                && each.getMethods().length > 0);
    }
}
