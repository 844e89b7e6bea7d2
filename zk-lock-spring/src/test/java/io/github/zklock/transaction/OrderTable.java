package io.github.zklock.transaction;

import org.springframework.jdbc.core.simple.JdbcClient;

/** The table that the transactions of the tests write: identifiers of orders. */
class OrderTable {

    private final JdbcClient database;

    OrderTable(JdbcClient database) {
        this.database = database;
    }

    void add(String id) {
        database.sql("insert into orders values (?)").param(id).update();
    }

    boolean has(String id) {
        return database.sql("select count(*) from orders where id = ?")
                        .param(id)
                        .query(Integer.class)
                        .single()
                > 0;
    }
}
