package com.example.ordershop.demo.process;

/** Addresses of the ZooKeeper servers and of the database that all shops share. */
public record Servers(String zookeeper, String database, String user, String password) {

    @Override
    public String toString() {
        return "ZooKeeper " + zookeeper + ", database " + database;
    }
}
