package io.github.zklock.docs.fencing;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** The examples, as an application. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
    OrderStats.class,
    OrderStatsTable.class,
    OrderTotals.class,
    Fence.class,
    Invoices.class,
    Reporting.class,
    DocumentController.class,
    PausedOrders.class,
    OtherProcess.class
})
class FencingApplication {}
