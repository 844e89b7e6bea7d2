package io.github.zklock.browser;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One browser for all tests of the JVM: each test has a page of its own in it, whose record is checked at its end. */
final class BrowserExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(BrowserExtension.class);

    @Override
    public void beforeEach(ExtensionContext context) {
        browser(context).beginPage();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Browser browser = browser(context);
        if (context.getExecutionException().isPresent()) {
            String test = context.getRequiredTestClass().getSimpleName() + "."
                    + context.getRequiredTestMethod().getName();
            Screenshots.ofFailure(browser, test);
        } else {
            browser.record().check();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Browser.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return browser(context);
    }

    /** JUnit closes it after the last test. */
    private static Browser browser(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(Browser.class, key -> new Browser(Chromium.start()), Browser.class);
    }
}
