package com.example.ordershop.demo;

/** The ZooKeeper servers and the database that all shops of a stage share. */
record Servers(String zookeeper, String database, String user, String password) {

    @Override
    public String toString() {
        return "ZooKeeper " + zookeeper + ", database " + database;
    }
}
